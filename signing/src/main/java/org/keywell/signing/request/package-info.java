/** Signing requests: their content, their outcomes and their times. */
@NullMarked
package org.keywell.signing.request;

import org.jspecify.annotations.NullMarked;
