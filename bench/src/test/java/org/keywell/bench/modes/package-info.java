@NullMarked
package org.keywell.bench.modes;

import org.jspecify.annotations.NullMarked;
