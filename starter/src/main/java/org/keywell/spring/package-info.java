/**
 * A client of a Keywell service in a Spring Boot application, by the settings {@code
 * keywell.client.*}. What an application defines itself is used instead.
 */
@NullMarked
package org.keywell.spring;

import org.jspecify.annotations.NullMarked;
