/** The external key store: its wiring, and the commands for its keys. */
@NullMarked
package org.keywell.service.xks;

import org.jspecify.annotations.NullMarked;
