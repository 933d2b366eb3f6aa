/** TLS at both ports: its versions, and whether callers' certificates are still valid. */
@NullMarked
package org.keywell.service.tls;

import org.jspecify.annotations.NullMarked;
