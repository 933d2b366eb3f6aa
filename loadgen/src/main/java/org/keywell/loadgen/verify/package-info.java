/** Checks the answers after the run, off the measuring path. */
@NullMarked
package org.keywell.loadgen.verify;

import org.jspecify.annotations.NullMarked;
