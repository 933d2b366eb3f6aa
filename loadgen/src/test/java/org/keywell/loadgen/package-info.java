@NullMarked
package org.keywell.loadgen;

import org.jspecify.annotations.NullMarked;
