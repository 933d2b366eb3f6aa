/** The files of a run. */
@org.jspecify.annotations.NullMarked
package org.keywell.bench.report;
