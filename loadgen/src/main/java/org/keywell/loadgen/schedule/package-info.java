/** When requests are due: steps of a rate, and where they come from. */
@NullMarked
package org.keywell.loadgen.schedule;

import org.jspecify.annotations.NullMarked;
