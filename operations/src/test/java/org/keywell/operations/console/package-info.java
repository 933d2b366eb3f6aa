@NullMarked
package org.keywell.operations.console;

import org.jspecify.annotations.NullMarked;
