/** The program behind {@code ./keywell bench} and {@code ./keywell tables}. */
@NullMarked
package org.keywell.bench.cli;

import org.jspecify.annotations.NullMarked;
