/** The problem documents (RFC 9457) that the service answers with. */
@NullMarked
package org.keywell.rest.problem;

import org.jspecify.annotations.NullMarked;
