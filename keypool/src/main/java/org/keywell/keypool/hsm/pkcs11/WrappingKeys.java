package org.keywell.keypool.hsm.pkcs11;

import java.util.List;
import java.util.Optional;

/**
 * The generations of a wrapping key that a device uses. Immutable.
 *
 * @param all those that unwrap, oldest first, at least one
 * @param wraps the one that wraps, one of them
 */
record WrappingKeys(List<WrappingKey> all, WrappingKey wraps) {

  WrappingKeys {
    all = List.copyOf(all);
  }

  static WrappingKeys of(WrappingKey only) {
    return new WrappingKeys(List.of(only), only);
  }

  /**
   * Returns what a choice leaves of the keys that a token has. Before any choice, the newest wraps:
   * an older one may be about to be destroyed. If all are withdrawn, all are left.
   *
   * @param found oldest first, at least one
   */
  static WrappingKeys chosen(List<WrappingKey> found, WrappingKeyChoice choice) {
    List<WrappingKey> left =
        found.stream().filter(key -> !choice.withdrawn().contains(key.id())).toList();
    List<WrappingKey> used = left.isEmpty() ? found : left;
    return new WrappingKeys(
        used,
        used.stream()
            .filter(key -> choice.wraps().filter(key.id()::equals).isPresent())
            .findFirst()
            .orElse(used.getLast()));
  }

  Optional<WrappingKey> find(String id) {
    return all.stream().filter(key -> key.id().equals(id)).findFirst();
  }

  List<String> ids() {
    return all.stream().map(WrappingKey::id).toList();
  }
}
