/** A rate above what the service can do: what the thesis's formulas predict, and what came. */
@NullMarked
package org.keywell.loadgen.overload;

import org.jspecify.annotations.NullMarked;
