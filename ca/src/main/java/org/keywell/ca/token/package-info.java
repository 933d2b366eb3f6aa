/** Keeps the CA's own keys and certificates in a PKCS#11 token, through SunPKCS11 alone. */
@NullMarked
package org.keywell.ca.token;

import org.jspecify.annotations.NullMarked;
