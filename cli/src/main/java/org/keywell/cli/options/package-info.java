/** Command-line options that the programs which talk to a service have in common. */
@NullMarked
package org.keywell.cli.options;

import org.jspecify.annotations.NullMarked;
