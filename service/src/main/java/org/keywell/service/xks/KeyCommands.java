package org.keywell.service.xks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SharedAesKey;
import org.keywell.keypool.hsm.pkcs11.TokenAesKey;
import org.keywell.keypool.hsm.pkcs11.TokenAesKeys;
import org.keywell.keypool.store.StoreException;
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
   * Makes a key in a token, or in several. If it ends before the key is in the database, the next
   * run goes on from there.
   *
   * @param devices empty: the only one
   */
  public String create(String name, KeyUsage usage, List<String> devices) {
    if (!XksKey.isName(name)) {
      throw new StartRefusedException(
          "a key's name has 1 to 128 of A-Z a-z 0-9 . _ -, not dots alone");
    }
    requireFree(name, keys.find(name).isEmpty());
    List<TokenAccess> tokens =
        devices.isEmpty()
            ? List.of(TokenAccess.named(hsms, null))
            : devices.stream().distinct().map(one -> TokenAccess.named(hsms, one)).toList();
    List<Pkcs11Hsm> open = new ArrayList<>();
    try {
      tokens.forEach(token -> open.add(token.open()));
      add(name, usage, open.stream().map(Pkcs11Hsm::tokenAesKeys).toList());
    } finally {
      open.forEach(Pkcs11Hsm::close);
    }
    return "created: key %s in %s, for %s"
        .formatted(
            name,
            tokens.stream()
                .map(token -> "token '%s'".formatted(token.tokenLabel()))
                .collect(Collectors.joining(" and ")),
            usage.label());
  }

  private void add(String name, KeyUsage usage, List<TokenAesKeys> tokens) {
    Optional<byte[]> left = keys.intent(name);
    requireNoOther(name, tokens, left);
    TokenAesKey key =
        left.flatMap(id -> finish(name, id, tokens)).orElseGet(() -> make(name, tokens));
    if (!isAdded(name, key, usage)) {
      // Not this process's: whoever took the note away has refused this key.
      tokens.forEach(token -> {
        boolean _ = token.destroy(key.id());
      });
      requireFree(name, false);
    }
  }

  /**
   * Whoever made it, it may have encrypted something: a database that is a backup does not tell.
   */
  private static void requireNoOther(
      String name, List<TokenAesKeys> tokens, Optional<byte[]> intended) {
    String label = XksKey.label(name);
    for (TokenAesKeys token : tokens) {
      for (byte[] id : token.ids(label)) {
        if (intended.filter(known -> Arrays.equals(known, id)).isEmpty()) {
          throw new StartRefusedException(
              "a token has a key labelled '%s', CKA_ID %s, which the database does not know: put back its row from a backup, or destroy it in the token if nothing is encrypted under it"
                  .formatted(label, HexFormat.of().formatHex(id)));
        }
      }
    }
  }

  /**
   * Takes what an earlier command left in the tokens. It is not replaced where all have it: the
   * database may be a backup of the moment before the key was in use.
   */
  private Optional<TokenAesKey> finish(String name, byte[] id, List<TokenAesKeys> tokens) {
    if (tokens.stream().allMatch(token -> token.has(id))) {
      return Optional.of(SharedAesKey.find(tokens, XksKey.label(name), id));
    }
    tokens.forEach(token -> {
      boolean _ = token.destroy(id);
    });
    keys.abandon(name, id);
    return Optional.empty();
  }

  private TokenAesKey make(String name, List<TokenAesKeys> tokens) {
    byte[] id = TokenAesKeys.newId();
    requireFree(name, keys.intend(name, id));
    String label = XksKey.label(name);
    return tokens.size() == 1
        ? tokens.getFirst().generate(label, id)
        : SharedAesKey.generate(tokens, label, id);
  }

  /** If the database fails meanwhile, it is asked: what it has committed, it may not have told. */
  private boolean isAdded(String name, TokenAesKey key, KeyUsage usage) {
    try {
      return keys.create(name, key, usage) || isKnown(name, key);
    } catch (StoreException e) {
      if (isKnown(name, key)) {
        return true;
      }
      throw e;
    }
  }

  private boolean isKnown(String name, TokenAesKey key) {
    return keys.find(name).filter(row -> Arrays.equals(row.token().id(), key.id())).isPresent();
  }

  /** Finds out which HSMs have a key, and proves that each copy is that key. */
  public String check(String name) {
    XksKey key = require(name);
    List<String> lines = new ArrayList<>();
    boolean found = false;
    for (TokenAccess token : TokenAccess.all(hsms)) {
      boolean keeps;
      try (Pkcs11Hsm hsm = token.open()) {
        keeps = hsm.tokenAesKeys().keeps(key.token());
      } catch (HsmException e) {
        throw new StartRefusedException(
            "key %s, HSM %s: %s".formatted(name, token.name(), e.getMessage()), e);
      }
      found |= keeps;
      lines.add("HSM %s %s key %s".formatted(token.name(), keeps ? "has" : "does not have", name));
    }
    if (!found) {
      throw new StartRefusedException("no HSM has key " + name);
    }
    return String.join(System.lineSeparator(), lines);
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
    Optional<byte[]> left = keys.intent(name);
    byte[] id = left.orElseGet(() -> require(name).token().id());
    boolean _ = keys.change(name, XksKey.State.DESTROYED, KeyUsage.NONE);
    long tokens = 0;
    for (TokenAccess token : TokenAccess.all(hsms)) {
      try (Pkcs11Hsm hsm = token.open()) {
        tokens += hsm.tokenAesKeys().destroy(id) ? 1 : 0;
      }
    }
    left.ifPresent(_ -> keys.abandon(name, id));
    return "key %s is destroyed; it was in %d of %d tokens"
        .formatted(name, tokens, hsms.devices().size());
  }

  /** Returns a line for each key. */
  public List<String> list() {
    List<String> lines = new ArrayList<>();
    lines.add("%-10s %-16s %s".formatted("state", "usage", "name"));
    keys.list()
        .forEach(key ->
            lines.add(
                "%-10s %-16s %s".formatted(key.state().label(), key.usage().label(), key.name())));
    keys.unfinished()
        .forEach(name -> lines.add("%-10s %-16s %s".formatted("unfinished", "", name)));
    return lines;
  }

  private XksKey require(String name) {
    Optional<XksKey> key = keys.find(name);
    return key.orElseThrow(() ->
        new StartRefusedException(
            keys.intent(name).isPresent()
                ? "key %s is unfinished: run create-key again".formatted(name)
                : "there is no key " + name));
  }
}
