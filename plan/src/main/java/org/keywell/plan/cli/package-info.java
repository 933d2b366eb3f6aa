/** The command-line program, and a plan's report for people. */
@NullMarked
package org.keywell.plan.cli;

import org.jspecify.annotations.NullMarked;
