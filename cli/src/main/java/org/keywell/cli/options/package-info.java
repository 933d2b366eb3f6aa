/** Command-line options shared by the programs that call a service. */
@NullMarked
package org.keywell.cli.options;

import org.jspecify.annotations.NullMarked;
