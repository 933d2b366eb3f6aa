@NullMarked
package org.keywell.service.ops.metrics;

import org.jspecify.annotations.NullMarked;
