/** What protects the service from its surroundings. */
@NullMarked
package org.keywell.service.security;

import org.jspecify.annotations.NullMarked;
