/** The status of certificates on request: requests in, signed answers out (RFC 6960, RFC 5019). */
@NullMarked
package org.keywell.ca.ocsp;

import org.jspecify.annotations.NullMarked;
