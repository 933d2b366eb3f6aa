@NullMarked
package org.keywell.cli.log;

import org.jspecify.annotations.NullMarked;
