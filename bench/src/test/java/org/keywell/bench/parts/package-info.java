@NullMarked
package org.keywell.bench.parts;

import org.jspecify.annotations.NullMarked;
