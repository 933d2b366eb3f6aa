@NullMarked
package org.keywell.loadgen.verify;

import org.jspecify.annotations.NullMarked;
