/** Connections: their number, their time limits, which are turned away, and how they end. */
@NullMarked
package org.keywell.rest.http;

import org.jspecify.annotations.NullMarked;
