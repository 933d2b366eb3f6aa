package org.keywell.bench.tables.measure;

import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.store.StoredKey;

/** A stored key that is live in the device. */
record LoadedKey(StoredKey stored, KeyHandle handle) {}
