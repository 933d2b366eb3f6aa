/** Requests and answers over a broker, protected from end to end or by TLS. */
@NullMarked
package org.keywell.loadgen.messages;

import org.jspecify.annotations.NullMarked;
