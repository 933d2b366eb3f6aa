/** Reports the results: text for a terminal, a page, and files for programs. */
@NullMarked
package org.keywell.bench.tables.report;

import org.jspecify.annotations.NullMarked;
