@NullMarked
package org.keywell.loadgen.plot;

import org.jspecify.annotations.NullMarked;
