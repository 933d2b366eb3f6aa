/** Checks of the files that deploy Keywell. */
@NullMarked
package org.keywell.deploy;

import org.jspecify.annotations.NullMarked;
