/** What a run comes to, for people: a page and a terminal show the same sections. */
@org.jspecify.annotations.NullMarked
package org.keywell.bench.report;
