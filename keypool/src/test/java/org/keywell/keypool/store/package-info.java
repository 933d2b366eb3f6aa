@NullMarked
package org.keywell.keypool.store;

import org.jspecify.annotations.NullMarked;
