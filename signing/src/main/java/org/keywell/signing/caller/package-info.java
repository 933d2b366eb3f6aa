/** Callers and their rights, resolved once, at the edge. */
@NullMarked
package org.keywell.signing.caller;

import org.jspecify.annotations.NullMarked;
