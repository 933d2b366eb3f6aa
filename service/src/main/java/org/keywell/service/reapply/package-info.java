/** Puts back into a restored database what a copy of the log says was ended since. */
@NullMarked
package org.keywell.service.reapply;

import org.jspecify.annotations.NullMarked;
