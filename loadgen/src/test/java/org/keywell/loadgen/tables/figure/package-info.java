@NullMarked
package org.keywell.loadgen.tables.figure;

import org.jspecify.annotations.NullMarked;
