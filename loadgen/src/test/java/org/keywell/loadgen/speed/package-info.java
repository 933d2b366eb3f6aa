@NullMarked
package org.keywell.loadgen.speed;

import org.jspecify.annotations.NullMarked;
