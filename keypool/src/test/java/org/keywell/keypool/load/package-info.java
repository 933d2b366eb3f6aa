@NullMarked
package org.keywell.keypool.load;

import org.jspecify.annotations.NullMarked;
