/**
 * One wrapping key in several tokens: the files that travel between them, and who compares what.
 */
@NullMarked
package org.keywell.service.hsm.enrol;

import org.jspecify.annotations.NullMarked;
