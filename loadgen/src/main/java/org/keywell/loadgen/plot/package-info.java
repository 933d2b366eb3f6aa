/** Plots as SVG: knows of numbers and words only, not of what they mean. */
@NullMarked
package org.keywell.loadgen.plot;

import org.jspecify.annotations.NullMarked;
