/** What programs that call a service share: options, and a line that shows progress. */
@NullMarked
package org.keywell.cli.options;

import org.jspecify.annotations.NullMarked;
