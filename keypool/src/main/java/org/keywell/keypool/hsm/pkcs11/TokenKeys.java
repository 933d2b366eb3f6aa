package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The private and secret keys of a token that outlive its sessions. */
final class TokenKeys {

  private TokenKeys() {}

  /**
   * Counts the keys that are neither known nor a transport or wrapping key.
   *
   * @param known values of {@code CKA_LABEL}, or of {@code CKA_ID} as text or in hexadecimal, where
   *     the CA's keys have their labels; each explains one private and one secret key
   * @param wrapping the id of one of the wrapping keys that follow each other
   */
  static long strays(Session session, Set<String> known, String wrapping) {
    Set<String> privateKeys = new HashSet<>(known);
    privateKeys.add(TransportKeyPair.LABEL);
    Set<String> secretKeys = new HashSet<>(known);
    WrappingKey.labels(session).stream()
        .filter(label -> Generation.of(label).label().equals(Generation.ofId(wrapping).label()))
        .forEach(secretKeys::add);
    return unexplained(session, Ck.CKO_PRIVATE_KEY, privateKeys)
        + unexplained(session, Ck.CKO_SECRET_KEY, secretKeys);
  }

  private static long unexplained(Session session, long keyClass, Set<String> unseen) {
    return keys(session, keyClass).stream()
        .map(key -> new ObjectAttributes(session, key))
        .filter(key -> !explains(unseen, key))
        .count();
  }

  /** Returns their values of {@code CKA_ID}, as text. */
  static Set<String> ids(Session session) {
    return keys(session, Ck.CKO_PRIVATE_KEY).stream()
        .flatMap(key -> new ObjectAttributes(session, key).read(Cka.CKA_ID).stream())
        .map(TokenKeys::text)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<Long> keys(Session session, long keyClass) {
    List<Long> found = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena).with(Cka.CKA_CLASS, keyClass).yes(Cka.CKA_TOKEN).build();
      ObjectSearch.forEach(session, template, found::add);
    }
    return found;
  }

  private static boolean explains(Set<String> unseen, ObjectAttributes key) {
    Optional<byte[]> id = key.read(Cka.CKA_ID);
    return key.read(Cka.CKA_LABEL).map(TokenKeys::text).filter(unseen::remove).isPresent()
        || id.map(TokenKeys::text).filter(unseen::remove).isPresent()
        || id.map(HexFormat.of()::formatHex).filter(unseen::remove).isPresent();
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }
}
