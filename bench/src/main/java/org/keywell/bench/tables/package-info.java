/** Repeats the thesis's measurements on the pool's own components. */
@NullMarked
package org.keywell.bench.tables;

import org.jspecify.annotations.NullMarked;
