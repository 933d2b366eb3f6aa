package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * The token's AES-256 key that wraps and unwraps pool keys and can do nothing else.
 *
 * @param id {@code CKA_LABEL}, a colon and {@code CKA_ID} in hexadecimal: labels recur from token
 *     to token, the random id does not
 * @param bindsUnwraps whether it has {@code CKA_UNWRAP_TEMPLATE}, so that nobody can use it to get
 *     a key in clear; false if an earlier version made it or the token does not accept it
 */
record WrappingKey(long handle, String id, boolean bindsUnwraps) {
  static final int BYTES = 32;

  private static final List<Cka> MUST_BE_TRUE =
      List.of(Cka.CKA_SENSITIVE, Cka.CKA_WRAP, Cka.CKA_UNWRAP);
  // With CKA_DECRYPT the key could decrypt what it wrapped, and so reveal pool keys.
  private static final List<Cka> MUST_NOT_BE_TRUE =
      List.of(Cka.CKA_ENCRYPT, Cka.CKA_DECRYPT, Cka.CKA_SIGN, Cka.CKA_VERIFY, Cka.CKA_DERIVE);

  /**
   * Finds the key by its label and checks its attributes.
   *
   * @throws HsmException with {@link Reason#NOT_BOOTSTRAPPED} if there are several, or its
   *     attributes violate rule 2; the message names the attribute
   */
  static Optional<WrappingKey> find(Session session, String label) {
    List<Long> found = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
              .yes(Cka.CKA_TOKEN)
              .with(Cka.CKA_LABEL, label.getBytes(StandardCharsets.UTF_8))
              .build();
      ObjectSearch.forEach(session, template, found::add);
    }
    if (found.size() > 1) {
      throw refused(label, "is not unique: " + found.size() + " secret keys have that label");
    }
    return found.stream().findFirst().map(handle -> checked(session, handle, label));
  }

  /**
   * Finds the keys that follow each other under a label, oldest first; of a label with a number,
   * only that one.
   *
   * @throws HsmException as {@link #find}
   */
  static List<WrappingKey> generations(Session session, String label) {
    List<WrappingKey> keys = new ArrayList<>(find(session, label).stream().toList());
    if (Generation.of(label).number() == 1) {
      labels(session).stream()
          .map(Generation::of)
          .filter(each -> each.label().equals(label) && each.number() > 1)
          .sorted(Comparator.comparingInt(Generation::number))
          .distinct()
          .flatMap(each -> find(session, each.keyLabel()).stream())
          .forEach(keys::add);
    }
    return keys;
  }

  /** As {@link #generations}, but that there is none is an error too. */
  static List<WrappingKey> requireGenerations(Session session, String label) {
    List<WrappingKey> keys = generations(session, label);
    if (keys.isEmpty()) {
      throw refused(label, "does not exist in the token");
    }
    return keys;
  }

  /** Returns the labels of all keys that wrap and unwrap. */
  static List<String> labels(Session session) {
    List<Long> found = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_SECRET_KEY)
              .yes(Cka.CKA_TOKEN, Cka.CKA_WRAP, Cka.CKA_UNWRAP)
              .build();
      ObjectSearch.forEach(session, template, found::add);
    }
    return found.stream()
        .flatMap(key -> new ObjectAttributes(session, key).read(Cka.CKA_LABEL).stream())
        .map(label -> new String(label, StandardCharsets.UTF_8))
        .toList();
  }

  /** Whether the token no longer has it; throws if the session cannot tell. */
  boolean isGone(Session session) {
    session.requireUserLoggedIn();
    return NewWrappingKey.ofId(id).objects(session).isEmpty();
  }

  /**
   * Checks that it unwraps for any use, and readable, as managed keys need it.
   *
   * @throws HsmException with {@link Reason#NOT_BOOTSTRAPPED} if it does not
   */
  void requireUnbound() {
    if (bindsUnwraps) {
      throw new HsmException(
          Reason.NOT_BOOTSTRAPPED,
          "wrapping key "
              + id
              + " has a CKA_UNWRAP_TEMPLATE and unwraps only keys that sign:"
              + " managed keys need a separate wrapping key, made for them");
    }
  }

  private static WrappingKey checked(Session session, long handle, String label) {
    ObjectAttributes attributes = new ObjectAttributes(session, handle);
    requireValue(label, attributes, Cka.CKA_KEY_TYPE, Ck.CKK_AES);
    requireLength(label, attributes);
    for (Cka name : MUST_BE_TRUE) {
      if (!attributes.readBoolean(name).orElse(false)) {
        throw refused(label, "does not have " + name + " = true");
      }
    }
    if (attributes.readBoolean(Cka.CKA_EXTRACTABLE).orElse(true)) {
      throw refused(label, "does not have CKA_EXTRACTABLE = false");
    }
    for (Cka name : MUST_NOT_BE_TRUE) {
      if (attributes.readBoolean(name).orElse(false)) {
        throw refused(label, "has " + name + " = true");
      }
    }
    byte[] ckaId = attributes.read(Cka.CKA_ID).orElse(new byte[0]);
    if (ckaId.length == 0) {
      throw refused(label, "has no CKA_ID");
    }
    return new WrappingKey(handle, id(label, ckaId), attributes.hasArray(Cka.CKA_UNWRAP_TEMPLATE));
  }

  /** Returns the id of a wrapping key, the same in every token that has it. */
  static String id(String label, byte[] ckaId) {
    return label + ":" + HexFormat.of().formatHex(ckaId);
  }

  private static void requireLength(String label, ObjectAttributes attributes) {
    // SoftHSM reports 0 for a key that was unwrapped, not generated; no AES key has that length.
    if (attributes.readLong(Cka.CKA_VALUE_LEN).orElse(-1L) != 0) {
      requireValue(label, attributes, Cka.CKA_VALUE_LEN, BYTES);
    }
  }

  private static void requireValue(
      String label, ObjectAttributes attributes, Cka name, long expected) {
    Optional<Long> value = attributes.readLong(name);
    if (value.isEmpty() || value.get() != expected) {
      throw refused(label, "is not an AES-256 key: " + name + " is " + value.orElse(-1L));
    }
  }

  private static HsmException refused(String label, String why) {
    return new HsmException(Reason.NOT_BOOTSTRAPPED, "wrapping key '" + label + "' " + why);
  }
}
