/** Rate limit for log lines of one kind that many requests can cause. */
@NullMarked
package org.keywell.keypool.log;

import org.jspecify.annotations.NullMarked;
