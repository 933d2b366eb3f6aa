/** The interface to a hardware security module: what the pool needs, free of PKCS#11 types. */
@NullMarked
package org.keywell.keypool.hsm;

import org.jspecify.annotations.NullMarked;
