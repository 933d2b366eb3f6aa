/** Without connections. */
@NullMarked
package org.keywell.xks.auth;

import org.jspecify.annotations.NullMarked;
