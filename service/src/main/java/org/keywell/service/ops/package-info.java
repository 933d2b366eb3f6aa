/** The running service's state, for operators. */
@NullMarked
package org.keywell.service.ops;

import org.jspecify.annotations.NullMarked;
