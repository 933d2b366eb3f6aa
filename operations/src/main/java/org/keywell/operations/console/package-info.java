/** The service's status page for operators, and the events that keep it up to date. */
@NullMarked
package org.keywell.operations.console;

import org.jspecify.annotations.NullMarked;
