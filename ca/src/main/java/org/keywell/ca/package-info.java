/** Certifies one-time signing keys. */
@NullMarked
package org.keywell.ca;

import org.jspecify.annotations.NullMarked;
