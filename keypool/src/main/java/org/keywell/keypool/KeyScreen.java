package org.keywell.keypool;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.keywell.keypool.store.StoredKey;
import org.keywell.keypool.store.WrappedKeyStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds claimed keys that must not sign, before any signature is made with them: anyone who can
 * write to the database can bring used keys back. The records' unique indexes remain the last line
 * of defence; they catch a copy that is claimed while the key itself is loaded.
 */
final class KeyScreen {

  private static final Logger log = LoggerFactory.getLogger(KeyScreen.class);

  private final WrappedKeyStore store;

  KeyScreen(WrappedKeyStore store) {
    this.store = store;
  }

  /**
   * Returns the ids of the keys that must not sign, and logs them.
   *
   * @throws org.keywell.keypool.store.StoreException if the store fails
   */
  Set<Long> barred(Collection<StoredKey> claimed) {
    Set<Long> used = store.used(claimed);
    if (!used.isEmpty()) {
      log.error("keys that have served a request were brought back; they are given up: {}", used);
    }
    List<Long> encodedAnew =
        claimed.stream().filter(key -> !key.isCanonical()).map(StoredKey::id).toList();
    if (!encodedAnew.isEmpty()) {
      log.error(
          "the public keys of {} are not as they were stored; they are given up", encodedAnew);
    }
    Set<Long> barred = new HashSet<>(used);
    barred.addAll(encodedAnew);
    return barred;
  }
}
