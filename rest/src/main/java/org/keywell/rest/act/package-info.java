/** {@code /acts}: signing in two calls. */
@NullMarked
package org.keywell.rest.act;

import org.jspecify.annotations.NullMarked;
