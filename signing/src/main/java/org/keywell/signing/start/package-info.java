/** How a start waits for what is missing, and what ends it early. */
@NullMarked
package org.keywell.signing.start;

import org.jspecify.annotations.NullMarked;
