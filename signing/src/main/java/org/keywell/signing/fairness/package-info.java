/** Sharing of the service among callers by weight: places, turns, rates and quotas. */
@NullMarked
package org.keywell.signing.fairness;

import org.jspecify.annotations.NullMarked;
