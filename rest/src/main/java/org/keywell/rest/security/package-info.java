/** What protects the service from its surroundings. */
@NullMarked
package org.keywell.rest.security;

import org.jspecify.annotations.NullMarked;
