@NullMarked
package org.keywell.keypool;

import org.jspecify.annotations.NullMarked;
