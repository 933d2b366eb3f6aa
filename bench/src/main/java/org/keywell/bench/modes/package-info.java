/** Measures services in a closed loop: modes compared, and the cost of reading metrics. */
@NullMarked
package org.keywell.bench.modes;

import org.jspecify.annotations.NullMarked;
