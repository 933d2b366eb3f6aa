/** The key pool: its wiring, and how deep it is. */
@NullMarked
package org.keywell.signing.pool;

import org.jspecify.annotations.NullMarked;
