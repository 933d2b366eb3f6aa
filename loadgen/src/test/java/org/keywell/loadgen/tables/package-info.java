@NullMarked
package org.keywell.loadgen.tables;

import org.jspecify.annotations.NullMarked;
