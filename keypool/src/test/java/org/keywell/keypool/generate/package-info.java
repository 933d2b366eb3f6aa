@NullMarked
package org.keywell.keypool.generate;

import org.jspecify.annotations.NullMarked;
