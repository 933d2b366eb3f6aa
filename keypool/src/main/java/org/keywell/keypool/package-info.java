/**
 * The key pool: keys are made ahead of time inside an HSM, in its idle time, kept wrapped in a
 * database, brought back when needed, leased to one request, used for one signature and destroyed
 * (thesis section 3.2).
 */
@NullMarked
package org.keywell.keypool;

import org.jspecify.annotations.NullMarked;
