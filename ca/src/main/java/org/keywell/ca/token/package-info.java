/** Keeps the CA's own keys and certificates in a PKCS#11 token, using only SunPKCS11. */
@NullMarked
package org.keywell.ca.token;

import org.jspecify.annotations.NullMarked;
