/** The stored tier: wrapped keys at rest, and the ledger of claimed keys. */
@NullMarked
package org.keywell.keypool.store;

import org.jspecify.annotations.NullMarked;
