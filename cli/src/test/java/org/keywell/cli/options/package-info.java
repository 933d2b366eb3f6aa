@NullMarked
package org.keywell.cli.options;

import org.jspecify.annotations.NullMarked;
