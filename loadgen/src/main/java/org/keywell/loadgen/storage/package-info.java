/** Databases on encrypted storage, whose keys a local key manager or the service guards. */
@NullMarked
package org.keywell.loadgen.storage;

import org.jspecify.annotations.NullMarked;
