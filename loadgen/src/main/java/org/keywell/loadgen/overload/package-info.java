/** Rates above what the service can do: the thesis's predictions, and the results. */
@NullMarked
package org.keywell.loadgen.overload;

import org.jspecify.annotations.NullMarked;
