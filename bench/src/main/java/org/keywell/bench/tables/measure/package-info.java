/** Measures the pool's components directly: the HSM, the store of wrapped keys, and the CA. */
@NullMarked
package org.keywell.bench.tables.measure;

import org.jspecify.annotations.NullMarked;
