/** Wires the HSM: PINs, token and timing. */
@NullMarked
package org.keywell.service.hsm;

import org.jspecify.annotations.NullMarked;
