/** Measures the pool's own seams: the HSM, the store of wrapped keys, and the CA. */
@NullMarked
package org.keywell.bench.tables.measure;

import org.jspecify.annotations.NullMarked;
