package org.keywell.service.xks;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.TokenAccess;
import org.keywell.xks.store.KeyUsage;
import org.keywell.xks.store.XksKey;
import org.keywell.xks.store.XksKeys;

/**
 * What operators do with the keys of the external key store. Each change counts for the next
 * request at every instance. Methods return what to tell; they refuse with {@link
 * StartRefusedException}.
 */
public final class KeyCommands {

  private final XksKeys keys;
  private final HsmProperties hsms;

  public KeyCommands(XksKeys keys, HsmProperties hsms) {
    this.keys = keys;
    this.hsms = hsms;
  }

  /**
   * Makes a key in a token.
   *
   * @param device null: the only one
   */
  public String create(String name, KeyUsage usage, @Nullable String device) {
    if (!XksKey.isName(name)) {
      throw new StartRefusedException(
          "a key's name has 1 to 128 of A-Z a-z 0-9 . _ -, not dots alone");
    }
    requireFree(name, keys.find(name).isEmpty());
    TokenAccess token = TokenAccess.named(hsms, device);
    try (Pkcs11Hsm hsm = token.open()) {
      byte[] id = hsm.tokenAesKeys().generate("xks-" + name);
      boolean added = false;
      try {
        added = keys.create(name, id, usage);
      } finally {
        if (!added) {
          boolean _ = hsm.tokenAesKeys().destroy(id);
        }
      }
      requireFree(name, added);
    }
    return "created: key %s in token '%s', for %s"
        .formatted(name, token.tokenLabel(), usage.label());
  }

  private static void requireFree(String name, boolean free) {
    if (!free) {
      throw new StartRefusedException(
          "there is or was a key " + name + "; what it encrypted would be another key's");
    }
  }

  public String enable(String name) {
    return change(require(name), XksKey.State.ENABLED, null);
  }

  public String disable(String name) {
    return change(require(name), XksKey.State.DISABLED, null);
  }

  public String restrict(String name, KeyUsage usage) {
    XksKey key = require(name);
    return change(key, key.state(), usage);
  }

  private String change(XksKey key, XksKey.State state, @Nullable KeyUsage usage) {
    KeyUsage then = usage == null ? key.usage() : usage;
    if (key.state() == XksKey.State.DESTROYED || !keys.change(key.name(), state, then)) {
      throw new StartRefusedException("key %s is destroyed".formatted(key.name()));
    }
    return "key %s is %s, for %s".formatted(key.name(), state.label(), then.label());
  }

  /** Destroys a key in all tokens. May be repeated, if a token was not there. */
  public String destroy(String name) {
    XksKey key = require(name);
    boolean _ = keys.change(name, XksKey.State.DESTROYED, KeyUsage.NONE);
    long tokens = 0;
    for (TokenAccess token : TokenAccess.all(hsms)) {
      try (Pkcs11Hsm hsm = token.open()) {
        tokens += hsm.tokenAesKeys().destroy(key.tokenId()) ? 1 : 0;
      }
    }
    return "key %s is destroyed; it was in %d of %d tokens"
        .formatted(name, tokens, hsms.devices().size());
  }

  /** Returns a line for each key. */
  public List<String> list() {
    return Stream.concat(
            Stream.of("%-10s %-16s %s".formatted("state", "usage", "name")),
            keys.list().stream()
                .map(key ->
                    "%-10s %-16s %s"
                        .formatted(key.state().label(), key.usage().label(), key.name())))
        .toList();
  }

  private XksKey require(String name) {
    Optional<XksKey> key = keys.find(name);
    return key.orElseThrow(() -> new StartRefusedException("there is no key " + name));
  }
}
