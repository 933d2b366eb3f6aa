/** The operations of the specification. */
@NullMarked
package org.keywell.xks.api;

import org.jspecify.annotations.NullMarked;
