/** Tells what was measured: text for a terminal, a page, files for programs. */
@NullMarked
package org.keywell.bench.tables.report;

import org.jspecify.annotations.NullMarked;
