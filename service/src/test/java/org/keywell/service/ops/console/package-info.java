@NullMarked
package org.keywell.service.ops.console;

import org.jspecify.annotations.NullMarked;
