@NullMarked
package org.keywell.bench.suite;

import org.jspecify.annotations.NullMarked;
