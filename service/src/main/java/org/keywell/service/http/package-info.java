/** Connections: how many there may be, and how slow they may be. */
@NullMarked
package org.keywell.service.http;

import org.jspecify.annotations.NullMarked;
