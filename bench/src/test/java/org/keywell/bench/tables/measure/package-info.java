@NullMarked
package org.keywell.bench.tables.measure;

import org.jspecify.annotations.NullMarked;
