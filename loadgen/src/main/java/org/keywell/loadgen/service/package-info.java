/** Services that an experiment starts for itself: their processes, from start to end. */
@NullMarked
package org.keywell.loadgen.service;

import org.jspecify.annotations.NullMarked;
