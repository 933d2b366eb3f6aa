@NullMarked
package org.keywell.rest.security;

import org.jspecify.annotations.NullMarked;
