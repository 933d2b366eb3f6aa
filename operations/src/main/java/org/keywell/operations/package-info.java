/** The running service's state, for operators. */
@NullMarked
package org.keywell.operations;

import org.jspecify.annotations.NullMarked;
