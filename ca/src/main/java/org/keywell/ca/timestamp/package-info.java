/** Time stamps: requests in, tokens out (RFC 3161, ETSI EN 319 422). */
@NullMarked
package org.keywell.ca.timestamp;

import org.jspecify.annotations.NullMarked;
