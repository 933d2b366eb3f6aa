/**
 * The key pool: keys are made ahead of time inside an HSM, kept wrapped in a database, brought back
 * when needed, used for one signature and destroyed.
 */
@NullMarked
package org.keywell.keypool;

import org.jspecify.annotations.NullMarked;
