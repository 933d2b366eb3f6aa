/**
 * The key pool. Keys are generated ahead of time in an idle HSM, stored wrapped in a database,
 * unwrapped when needed, leased to one request, used for one act of signing and destroyed (thesis
 * section 3.2).
 */
@NullMarked
package org.keywell.keypool;

import org.jspecify.annotations.NullMarked;
