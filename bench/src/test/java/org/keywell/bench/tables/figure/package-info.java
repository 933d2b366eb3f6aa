@NullMarked
package org.keywell.bench.tables.figure;

import org.jspecify.annotations.NullMarked;
