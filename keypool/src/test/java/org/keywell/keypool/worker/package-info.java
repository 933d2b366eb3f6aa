@NullMarked
package org.keywell.keypool.worker;

import org.jspecify.annotations.NullMarked;
