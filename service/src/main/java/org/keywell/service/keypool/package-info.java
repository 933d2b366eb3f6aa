/** Wires the key pool: HSM, store, generator, loader. */
@NullMarked
package org.keywell.service.keypool;

import org.jspecify.annotations.NullMarked;
