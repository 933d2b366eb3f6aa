/** The command-line program, and what people read of a plan. */
@NullMarked
package org.keywell.plan.cli;

import org.jspecify.annotations.NullMarked;
