@NullMarked
package org.keywell.loadgen.cli;

import org.jspecify.annotations.NullMarked;
