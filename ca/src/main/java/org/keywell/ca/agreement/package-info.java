/** Key agreement of Java's TLS, computed by Bouncy Castle. */
@NullMarked
package org.keywell.ca.agreement;

import org.jspecify.annotations.NullMarked;
