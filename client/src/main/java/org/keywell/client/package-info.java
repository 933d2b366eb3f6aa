/**
 * The HTTP contract of a running Keywell service, typed: requests, answers and {@link
 * org.keywell.client.KeywellClient}, which exchanges them. Knows nothing of the command line.
 */
@NullMarked
package org.keywell.client;

import org.jspecify.annotations.NullMarked;
