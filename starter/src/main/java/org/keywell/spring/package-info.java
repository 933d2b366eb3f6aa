/**
 * Configures a client of a Keywell service in a Spring Boot application, from the settings {@code
 * keywell.client.*}. Beans that the application defines take precedence.
 */
@NullMarked
package org.keywell.spring;

import org.jspecify.annotations.NullMarked;
