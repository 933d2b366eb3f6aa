@NullMarked
package org.keywell.loadgen.schedule;

import org.jspecify.annotations.NullMarked;
