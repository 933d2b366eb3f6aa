@NullMarked
package org.keywell.bench.raw;

import org.jspecify.annotations.NullMarked;
