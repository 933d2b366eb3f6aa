/** {@code /sign}: one request from its JSON to its answer. */
@NullMarked
package org.keywell.rest.sign;

import org.jspecify.annotations.NullMarked;
