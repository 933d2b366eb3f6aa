/** Without connections. */
@NullMarked
package org.keywell.xks.error;

import org.jspecify.annotations.NullMarked;
