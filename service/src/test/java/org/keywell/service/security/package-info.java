@NullMarked
package org.keywell.service.security;

import org.jspecify.annotations.NullMarked;
