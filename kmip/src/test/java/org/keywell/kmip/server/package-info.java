/** The listener over real TLS. */
@NullMarked
package org.keywell.kmip.server;

import org.jspecify.annotations.NullMarked;
