/** The loaded tier: keys live inside the device, each leased to one request. */
@NullMarked
package org.keywell.keypool.pool;

import org.jspecify.annotations.NullMarked;
