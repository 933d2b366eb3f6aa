/**
 * The HTTP contract of a running Keywell service, for Java applications: requests, answers and
 * {@link org.keywell.client.KeywellClient}, which exchanges them with retries if necessary. For
 * Java 17 and newer; depends on Jackson, but not on the service.
 */
@NullMarked
package org.keywell.client;

import org.jspecify.annotations.NullMarked;
