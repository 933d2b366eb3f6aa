/** Callers share the service by weight: places, turns, rates and quotas of each. */
@NullMarked
package org.keywell.service.fairness;

import org.jspecify.annotations.NullMarked;
