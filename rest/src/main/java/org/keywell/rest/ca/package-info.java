/** {@code /ca}: the issuing certificate and its chain. */
@NullMarked
package org.keywell.rest.ca;

import org.jspecify.annotations.NullMarked;
