@NullMarked
package org.keywell.loadgen.watch;

import org.jspecify.annotations.NullMarked;
