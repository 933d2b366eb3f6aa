/** Signing over a message broker: requests from a queue, each answer to the queue that it names. */
@NullMarked
package org.keywell.jms;

import org.jspecify.annotations.NullMarked;
