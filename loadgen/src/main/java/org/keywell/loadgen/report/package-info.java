/** The results of a run: the figures, the requirements on them, and the files that report them. */
@NullMarked
package org.keywell.loadgen.report;

import org.jspecify.annotations.NullMarked;
