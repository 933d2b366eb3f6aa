/** Log lines of one kind that many requests can cause: how often one is written. */
@NullMarked
package org.keywell.keypool.log;

import org.jspecify.annotations.NullMarked;
