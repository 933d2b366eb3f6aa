/** Keeps the CA's own keys and certificates in a PKCS#11 token, through a JCA provider. */
@NullMarked
package org.keywell.ca.token;

import org.jspecify.annotations.NullMarked;
