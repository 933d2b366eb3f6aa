/** Sends each request when it is due, whether or not earlier ones have been answered. */
@NullMarked
package org.keywell.loadgen.drive;

import org.jspecify.annotations.NullMarked;
