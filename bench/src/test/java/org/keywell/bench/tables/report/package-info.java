@NullMarked
package org.keywell.bench.tables.report;

import org.jspecify.annotations.NullMarked;
