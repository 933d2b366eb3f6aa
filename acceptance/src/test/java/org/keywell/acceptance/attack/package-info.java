/** Attacks on the real service; they run on demand, as their tag {@code attack} is left out. */
@NullMarked
package org.keywell.acceptance.attack;

import org.jspecify.annotations.NullMarked;
