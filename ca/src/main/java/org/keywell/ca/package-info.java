/**
 * Certifies one-time signing keys: the seam, what goes in, what comes out, and the profile of the
 * certificates. Free of Bouncy Castle and of PKCS#11, which are behind {@link
 * org.keywell.ca.issuance} and {@link org.keywell.ca.token}.
 */
@NullMarked
package org.keywell.ca;

import org.jspecify.annotations.NullMarked;
