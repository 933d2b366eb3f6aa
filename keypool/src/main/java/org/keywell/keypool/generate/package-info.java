/** Makes keys ahead of time, in the device's idle time (thesis section 3.2). */
@NullMarked
package org.keywell.keypool.generate;

import org.jspecify.annotations.NullMarked;
