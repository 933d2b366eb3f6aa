package org.keywell.keypool;

import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.store.StoredKey;

/**
 * A pre-generated key that is live inside the device.
 *
 * @param stored the row it came from, with the blob that is needed to put it back
 */
record LoadedKey(StoredKey stored, KeyHandle handle) {}
