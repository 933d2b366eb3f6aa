/**
 * The client's end of protected signing over a broker: makes a request's bytes, and reads the bytes
 * of its answer. Knows no broker's client, so it goes with any. For Java 17 and newer.
 */
@NullMarked
package org.keywell.messageclient;

import org.jspecify.annotations.NullMarked;
