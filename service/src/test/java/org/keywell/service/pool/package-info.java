@NullMarked
package org.keywell.service.pool;

import org.jspecify.annotations.NullMarked;
