/**
 * Measures services in a closed loop: the modes beside each other, and what reading metrics costs.
 */
@NullMarked
package org.keywell.bench.modes;

import org.jspecify.annotations.NullMarked;
