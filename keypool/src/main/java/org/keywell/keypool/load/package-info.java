/** Brings stored keys into the device when its own pool runs low (thesis section 3.2). */
@NullMarked
package org.keywell.keypool.load;

import org.jspecify.annotations.NullMarked;
