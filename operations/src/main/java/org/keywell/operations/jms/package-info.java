/** The way in over a message broker as operators see it. */
@NullMarked
package org.keywell.operations.jms;

import org.jspecify.annotations.NullMarked;
