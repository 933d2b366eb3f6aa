@NullMarked
package org.keywell.keypool.pool;

import org.jspecify.annotations.NullMarked;
