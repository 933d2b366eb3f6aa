/** When requests are due: steps of a rate, and their sources. */
@NullMarked
package org.keywell.loadgen.schedule;

import org.jspecify.annotations.NullMarked;
