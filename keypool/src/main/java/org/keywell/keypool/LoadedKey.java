package org.keywell.keypool;

import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.store.StoredKey;

/**
 * A pre-generated key that is live inside the device.
 *
 * @param stored the row it came from; its blob is still at hand to put it back
 */
record LoadedKey(StoredKey stored, KeyHandle handle) {}
