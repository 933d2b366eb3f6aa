/** The identity providers that the operator trusts, and the verifiers of their tickets. */
@NullMarked
package org.keywell.identity.provider;

import org.jspecify.annotations.NullMarked;
