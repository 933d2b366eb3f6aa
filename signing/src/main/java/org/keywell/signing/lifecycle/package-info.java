/** Starts and stops the core in order, and adopts what a crash left behind. */
@NullMarked
package org.keywell.signing.lifecycle;

import org.jspecify.annotations.NullMarked;
