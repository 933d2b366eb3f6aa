@NullMarked
package org.keywell.loadgen.report;

import org.jspecify.annotations.NullMarked;
