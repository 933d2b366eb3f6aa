@NullMarked
package org.keywell.signing.pool;

import org.jspecify.annotations.NullMarked;
