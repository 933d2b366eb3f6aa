/** The executable that brings its PostgreSQL along. */
@NullMarked
package org.keywell.acceptance.embedded;

import org.jspecify.annotations.NullMarked;
