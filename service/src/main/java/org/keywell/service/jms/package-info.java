/** Signing over a message broker: its wiring, and what operators see of it. */
@NullMarked
package org.keywell.service.jms;

import org.jspecify.annotations.NullMarked;
