/** The errors that the specification names. */
@NullMarked
package org.keywell.xks.error;

import org.jspecify.annotations.NullMarked;
