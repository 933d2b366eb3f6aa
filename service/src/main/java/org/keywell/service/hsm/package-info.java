/** Wires the HSM: its PINs, its token, its times. */
@NullMarked
package org.keywell.service.hsm;

import org.jspecify.annotations.NullMarked;
