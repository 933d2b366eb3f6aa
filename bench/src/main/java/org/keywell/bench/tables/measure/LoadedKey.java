package org.keywell.bench.tables.measure;

import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.store.StoredKey;

/** A stored key that is live inside the device. */
record LoadedKey(StoredKey stored, KeyHandle handle) {}
