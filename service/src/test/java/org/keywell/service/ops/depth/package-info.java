@NullMarked
package org.keywell.service.ops.depth;

import org.jspecify.annotations.NullMarked;
