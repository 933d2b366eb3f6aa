/**
 * Measures the thesis's tables again, at the pool's own seams: the only part of the load generator
 * that knows the pool and the CA rather than the HTTP contract alone.
 */
@NullMarked
package org.keywell.loadgen.tables;

import org.jspecify.annotations.NullMarked;
