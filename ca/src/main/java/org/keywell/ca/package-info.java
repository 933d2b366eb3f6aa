/**
 * Certifies one-time signing keys: the interface, its inputs and results, and the certificate
 * profiles. Independent of Bouncy Castle and PKCS#11, which {@link org.keywell.ca.issuance} and
 * {@link org.keywell.ca.token} encapsulate.
 */
@NullMarked
package org.keywell.ca;

import org.jspecify.annotations.NullMarked;
