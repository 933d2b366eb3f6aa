/** A server's TLS as OpenSSL's {@code s_time} sees it, beside that of {@code s_server}. */
@NullMarked
package org.keywell.loadgen.tls;

import org.jspecify.annotations.NullMarked;
