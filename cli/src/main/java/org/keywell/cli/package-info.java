/** The command-line program: one class per command, and their shared code. */
@NullMarked
package org.keywell.cli;

import org.jspecify.annotations.NullMarked;
