/** Wires the HSM: PINs, token and timing. */
@NullMarked
package org.keywell.signing.hsm;

import org.jspecify.annotations.NullMarked;
