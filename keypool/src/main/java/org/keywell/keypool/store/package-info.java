/** The stored tier: wrapped keys at rest, and the ledger of those that were claimed. */
@NullMarked
package org.keywell.keypool.store;

import org.jspecify.annotations.NullMarked;
