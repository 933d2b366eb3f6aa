/** Time stamps over HTTP (RFC 3161, section 3.4). */
@NullMarked
package org.keywell.rest.stamp;

import org.jspecify.annotations.NullMarked;
