@NullMarked
package org.keywell.loadgen.text;

import org.jspecify.annotations.NullMarked;
