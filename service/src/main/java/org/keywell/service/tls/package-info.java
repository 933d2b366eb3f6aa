/** TLS at both ports: its versions, and whether a caller's certificate still counts. */
@NullMarked
package org.keywell.service.tls;

import org.jspecify.annotations.NullMarked;
