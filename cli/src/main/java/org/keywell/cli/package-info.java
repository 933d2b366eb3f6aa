/** The command-line program: one class per command, and what the commands share. */
@NullMarked
package org.keywell.cli;

import org.jspecify.annotations.NullMarked;
