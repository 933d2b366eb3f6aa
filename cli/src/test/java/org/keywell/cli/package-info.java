@NullMarked
package org.keywell.cli;

import org.jspecify.annotations.NullMarked;
