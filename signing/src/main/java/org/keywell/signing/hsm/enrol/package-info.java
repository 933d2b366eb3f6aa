/** One wrapping key in several tokens: the files that travel between them, and the comparisons. */
@NullMarked
package org.keywell.signing.hsm.enrol;

import org.jspecify.annotations.NullMarked;
