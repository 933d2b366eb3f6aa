/** The key pool: its wiring, and how deep it is. */
@NullMarked
package org.keywell.service.pool;

import org.jspecify.annotations.NullMarked;
