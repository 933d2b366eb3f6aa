/** Background threads that repeat a step, and pause while what they need is out of order. */
@NullMarked
package org.keywell.keypool.worker;

import org.jspecify.annotations.NullMarked;
