package org.keywell.signing.hsm;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.TokenBootstrap;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyGenerations;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.Rotation;

/** The tokens of this instance that share a wrapping key, with its generations in each. */
record KeyHolders(List<Holder> holders) {

  /** A token, and what was found in it. */
  record Holder(TokenAccess access, WrappingKeyGenerations.Found found) {}

  /**
   * Looks into the tokens.
   *
   * @param device whose wrapping key is meant; null if all share one
   * @throws StartRefusedException if a token cannot be used, or it is not clear which key is meant
   */
  static KeyHolders find(List<TokenAccess> tokens, @Nullable String device) {
    List<Holder> all = new ArrayList<>();
    for (TokenAccess token : tokens) {
      all.add(new Holder(token, find(token)));
    }
    Holder base =
        all.stream()
            .filter(holder -> device == null || holder.access().name().equals(device))
            .findFirst()
            .orElseThrow(
                () -> new StartRefusedException("no device has the name '%s'".formatted(device)));
    List<Holder> sharing =
        all.stream()
            .filter(holder -> !Collections.disjoint(holder.found().ids(), base.found().ids()))
            .toList();
    if (device == null && sharing.size() < all.size()) {
      throw new StartRefusedException(
          "the devices do not share one wrapping key: name one that has the key by --device");
    }
    return new KeyHolders(sharing);
  }

  private static WrappingKeyGenerations.Found find(TokenAccess token) {
    String label = token.config().wrappingKeyLabel();
    if (WrappingKeyGenerations.isNumbered(label)) {
      throw new StartRefusedException(
          "the wrapping-key label '%s' of device %s has a number, so no key follows under it: set the label without"
              .formatted(label, token.name()));
    }
    WrappingKeyGenerations.Found found;
    try {
      found = token.login(WrappingKeyGenerations::find);
    } catch (HsmException e) {
      throw new StartRefusedException(
          "every HSM that shares the wrapping key takes part, and one cannot be used: "
              + e.getMessage(),
          e);
    }
    if (found.ids().isEmpty()) {
      throw new StartRefusedException(
          "device %s has no wrapping key '%s'".formatted(token.name(), label));
    }
    return found;
  }

  /** Returns their oldest wrapping key that the database does not say is replaced. */
  String wraps(List<Rotation> rotations) {
    return GenerationChoice.of(holders.getFirst().found().ids(), rotations)
        .use()
        .wraps()
        .orElseThrow();
  }

  /**
   * Makes a wrapping key that all of them have.
   *
   * @param label under which none has one
   * @return its id
   * @throws HsmException if one cannot have it; then none does, if possible
   */
  String make(String label) {
    List<TokenAccess> tokens =
        holders.stream().map(holder -> holder.access().withWrappingKeyLabel(label)).toList();
    if (tokens.size() == 1) {
      TokenBootstrap.Result _ = tokens.getFirst().login(TokenBootstrap::ensureWrappingKey);
    } else {
      String _ = SharedWrappingKey.make(tokens);
    }
    return tokens.getFirst().login(WrappingKeyGenerations::find).ids().getFirst();
  }

  /** Destroys a key that never wrapped anything. */
  void removeUnused(String id) {
    holders.forEach(holder -> {
      boolean _ = destroyIn(holder.access(), id);
    });
  }

  /**
   * Destroys a key, and has each token note that. Goes on where an earlier call ended.
   *
   * @param at for the note
   * @param warn receives why a token does not note it: one that keeps no data objects has no mark
   *     either, and knows no restored backup
   * @param had receives the names of the devices whose tokens had it
   * @throws StartRefusedException if a token does not destroy it
   * @throws HsmException if a token cannot be looked into
   */
  void destroy(String id, Instant at, Consumer<String> warn, Consumer<String> had) {
    for (Holder holder : holders) {
      TokenAccess token = holder.access();
      requireLater(token, id);
      note(token, id, at, warn);
      try {
        if (destroyIn(token, id)) {
          had.accept(token.name());
        }
      } catch (HsmException e) {
        throw new StartRefusedException(
            "wrapping key %s is not destroyed in %s: %s"
                .formatted(id, token.name(), e.getMessage()),
            e);
      }
    }
  }

  /** INVARIANT: whatever the database says, no token is left without a wrapping key. */
  private static void requireLater(TokenAccess token, String id) {
    if (token.login(WrappingKeyGenerations::find).ids().stream()
        .noneMatch(other -> WrappingKeyGenerations.isLater(other, id))) {
      throw new StartRefusedException(
          "device %s has no wrapping key that follows %s: nothing is destroyed there"
              .formatted(token.name(), id));
    }
  }

  private static boolean destroyIn(TokenAccess token, String id) {
    return token.login((config, pin) -> WrappingKeyGenerations.destroy(config, pin, id));
  }

  private static void note(TokenAccess token, String id, Instant at, Consumer<String> warn) {
    try {
      boolean _ =
          token.login((config, pin) -> {
            WrappingKeyGenerations.note(config, pin, id, at);
            return true;
          });
    } catch (HsmException e) {
      warn.accept("device %s does not note it: %s".formatted(token.name(), e.getMessage()));
    }
  }

  /** Whether one of them has the key. */
  boolean have(String id) {
    return holders.stream().anyMatch(holder -> holder.found().ids().contains(id));
  }

  /** Returns the keys that follow one, in any of the tokens, oldest first. */
  List<String> after(String id) {
    return holders.stream()
        .flatMap(holder -> holder.found().ids().stream())
        .filter(other -> WrappingKeyGenerations.isLater(other, id))
        .distinct()
        .toList();
  }

  /** Returns the names of the devices whose tokens lack the key; empty if all have it. */
  Optional<String> lacking(String id) {
    List<String> names =
        holders.stream()
            .filter(holder -> !holder.found().ids().contains(id))
            .map(holder -> holder.access().name())
            .toList();
    return names.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", names));
  }

  boolean hasToken(String tokenId) {
    return holders.stream().anyMatch(holder -> holder.found().tokenId().equals(tokenId));
  }

  String names() {
    return holders.stream()
        .map(holder -> holder.access().name())
        .collect(Collectors.joining(" and "));
  }
}
