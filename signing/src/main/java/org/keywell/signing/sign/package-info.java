/** One signing request from admission to outcome: intake, queue, handlers, cycle. */
@NullMarked
package org.keywell.signing.sign;

import org.jspecify.annotations.NullMarked;
