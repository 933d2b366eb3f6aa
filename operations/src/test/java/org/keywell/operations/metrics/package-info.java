@NullMarked
package org.keywell.operations.metrics;

import org.jspecify.annotations.NullMarked;
