/** TLS at both ports: its versions, and whether callers' certificates are still valid. */
@NullMarked
package org.keywell.rest.tls;

import org.jspecify.annotations.NullMarked;
