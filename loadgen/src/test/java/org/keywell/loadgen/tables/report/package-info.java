@NullMarked
package org.keywell.loadgen.tables.report;

import org.jspecify.annotations.NullMarked;
