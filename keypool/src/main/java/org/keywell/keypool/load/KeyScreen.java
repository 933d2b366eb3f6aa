package org.keywell.keypool.load;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.keywell.keypool.store.StoredKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells which claimed keys must not sign, so that no signature is made with them: whoever can write
 * to the database can bring used keys back in another encoding.
 */
final class KeyScreen {

  private static final Logger log = LoggerFactory.getLogger(KeyScreen.class);

  /** The ids of those that must not sign; they are logged. */
  Set<Long> barred(Collection<StoredKey> claimed) {
    List<Long> encodedAnew =
        claimed.stream().filter(key -> !key.isCanonical()).map(StoredKey::id).toList();
    if (!encodedAnew.isEmpty()) {
      log.error(
          "the public keys of {} are not as they were stored; they are given up", encodedAnew);
    }
    return new HashSet<>(encodedAnew);
  }
}
