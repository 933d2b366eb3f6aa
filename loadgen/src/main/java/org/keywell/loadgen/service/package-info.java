/** Services that an experiment starts for itself: their processes, from the start to the end. */
@NullMarked
package org.keywell.loadgen.service;

import org.jspecify.annotations.NullMarked;
