@NullMarked
package org.keywell.loadgen.drive;

import org.jspecify.annotations.NullMarked;
