/** How deep the pool is, and where that leads. */
@NullMarked
package org.keywell.service.ops.depth;

import org.jspecify.annotations.NullMarked;
