@NullMarked
package org.keywell.bench.tables;

import org.jspecify.annotations.NullMarked;
