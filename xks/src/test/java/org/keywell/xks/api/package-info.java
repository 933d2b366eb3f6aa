/** Without connections. */
@NullMarked
package org.keywell.xks.api;

import org.jspecify.annotations.NullMarked;
