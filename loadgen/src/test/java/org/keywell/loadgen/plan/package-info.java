@NullMarked
package org.keywell.loadgen.plan;

import org.jspecify.annotations.NullMarked;
