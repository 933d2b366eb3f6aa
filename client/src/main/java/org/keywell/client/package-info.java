/**
 * The HTTP contract of a running Keywell service, for Java applications: requests, answers and
 * {@link org.keywell.client.KeywellClient}, which exchanges them, again if need be. For Java 17 and
 * newer; brings Jackson, and nothing of the service.
 */
@NullMarked
package org.keywell.client;

import org.jspecify.annotations.NullMarked;
