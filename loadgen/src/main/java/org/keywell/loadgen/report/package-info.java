/** What a run came to: the figures, the requirements on them, and the files that tell of them. */
@NullMarked
package org.keywell.loadgen.report;

import org.jspecify.annotations.NullMarked;
