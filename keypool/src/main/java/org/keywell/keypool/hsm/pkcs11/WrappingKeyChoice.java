package org.keywell.keypool.hsm.pkcs11;

import java.util.Optional;
import java.util.Set;

/**
 * Which of a token's wrapping keys of one label are used, by their ids.
 *
 * @param wraps the one that wraps, if the token has it; otherwise, and if empty, the newest does
 * @param withdrawn those that neither wrap nor unwrap any more
 */
public record WrappingKeyChoice(Optional<String> wraps, Set<String> withdrawn) {

  /** Before anything is known but the token. */
  static final WrappingKeyChoice NONE = new WrappingKeyChoice(Optional.empty(), Set.of());

  public WrappingKeyChoice {
    withdrawn = Set.copyOf(withdrawn);
  }
}
