/** Keywell's metrics, by area; docs/METRICS.md lists them. Micrometer is used only here. */
@NullMarked
package org.keywell.operations.metrics;

import org.jspecify.annotations.NullMarked;
