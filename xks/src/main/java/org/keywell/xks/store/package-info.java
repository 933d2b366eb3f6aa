/** What keys there are, what they may do, and the entries in the log about their use. */
@NullMarked
package org.keywell.xks.store;

import org.jspecify.annotations.NullMarked;
