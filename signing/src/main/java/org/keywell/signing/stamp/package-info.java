/** Time stamps as a service: a clock that is not in doubt, a key in an HSM, an entry in the log. */
@NullMarked
package org.keywell.signing.stamp;

import org.jspecify.annotations.NullMarked;
