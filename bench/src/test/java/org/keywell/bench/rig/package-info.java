@NullMarked
package org.keywell.bench.rig;

import org.jspecify.annotations.NullMarked;
