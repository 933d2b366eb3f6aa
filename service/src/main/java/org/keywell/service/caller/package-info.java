/** Who calls, and what that gives the right to; resolved once, at the edge. */
@NullMarked
package org.keywell.service.caller;

import org.jspecify.annotations.NullMarked;
