/** The identity providers that the operator trusts, and what checks their tickets. */
@NullMarked
package org.keywell.service.identity.provider;

import org.jspecify.annotations.NullMarked;
