/** A real HSM slowed down to the times of another device, for experiments. */
@NullMarked
package org.keywell.keypool.hsm.timed;

import org.jspecify.annotations.NullMarked;
