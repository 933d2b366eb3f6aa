/** What is observed during a run: the pool's depth, and progress for people. */
@NullMarked
package org.keywell.loadgen.watch;

import org.jspecify.annotations.NullMarked;
