/** Measures the thesis's tables again, at the pool's own seams. */
@NullMarked
package org.keywell.bench.tables;

import org.jspecify.annotations.NullMarked;
