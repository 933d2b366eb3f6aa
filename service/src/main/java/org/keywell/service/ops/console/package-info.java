/** A page of the service that shows operators how it is, and the events that keep it up to date. */
@NullMarked
package org.keywell.service.ops.console;

import org.jspecify.annotations.NullMarked;
