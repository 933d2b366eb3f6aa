@NullMarked
package org.keywell.loadgen.tables.measure;

import org.jspecify.annotations.NullMarked;
