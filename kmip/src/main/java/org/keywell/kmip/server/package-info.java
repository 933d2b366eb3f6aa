/** The listener: TLS connections, their bounds, and who is at their other end. */
@NullMarked
package org.keywell.kmip.server;

import org.jspecify.annotations.NullMarked;
