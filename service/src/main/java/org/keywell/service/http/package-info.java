/** Connections: how many there may be, how slow they may be, who is turned away, how they end. */
@NullMarked
package org.keywell.service.http;

import org.jspecify.annotations.NullMarked;
