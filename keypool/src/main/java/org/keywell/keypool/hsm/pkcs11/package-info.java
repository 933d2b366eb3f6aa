/**
 * The only code that speaks PKCS#11 (OASIS, versions 2.40 and 3): a small binding to {@code
 * CK_FUNCTION_LIST} through the foreign function and memory API, and {@link
 * org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm} on top of it. Vendor differences are in {@code Brand}
 * and nowhere else.
 */
@NullMarked
package org.keywell.keypool.hsm.pkcs11;

import org.jspecify.annotations.NullMarked;
