@NullMarked
package org.keywell.loadgen.overload;

import org.jspecify.annotations.NullMarked;
