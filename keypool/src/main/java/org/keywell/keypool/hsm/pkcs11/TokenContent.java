package org.keywell.keypool.hsm.pkcs11;

import java.io.ByteArrayInputStream;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.keywell.keypool.hsm.HsmException;

/**
 * The private keys and certificates that a token held when it was read. Nothing is expected of
 * them: others keep theirs in the same token. Immutable.
 *
 * @param keys those that have a {@code CKA_ID}
 * @param stored all certificates
 * @param entries private keys with certificates, by their alias
 * @param certificates each certificate that is X.509, by a name that is no alias
 */
record TokenContent(
    List<PrivateKeyObject> keys,
    List<StoredCertificate> stored,
    Map<String, Entry> entries,
    Map<String, X509Certificate> certificates) {

  static final TokenContent NOTHING = new TokenContent(List.of(), List.of(), Map.of(), Map.of());

  /** Values by which a module refuses one object alone, or reports that it is gone. */
  private static final Set<ReturnValue> OF_AN_OBJECT =
      EnumSet.of(
          ReturnValue.CKR_OBJECT_HANDLE_INVALID,
          ReturnValue.CKR_BUFFER_TOO_SMALL,
          ReturnValue.CKR_ATTRIBUTE_TYPE_INVALID,
          ReturnValue.CKR_ATTRIBUTE_SENSITIVE);

  /**
   * A private key.
   *
   * @param readable whether it is neither sensitive nor kept from leaving the token
   */
  record PrivateKeyObject(long object, byte[] id, boolean readable) {}

  /**
   * A certificate.
   *
   * @param id empty if it has none
   * @param value empty if it is not X.509, or longer than {@link Session#BUFFER_BYTES}
   */
  record StoredCertificate(
      long object, Optional<String> label, byte[] id, Optional<X509Certificate> value) {}

  /**
   * What one alias stands for: at best one of each.
   *
   * @param certificates the newest first
   */
  record Entry(List<PrivateKeyObject> keys, List<StoredCertificate> certificates) {}

  /**
   * Reads them.
   *
   * @throws HsmException if the process is not logged in, or the device fails
   */
  static TokenContent read(Session session) {
    // INVARIANT: without a login no private key is visible; it must not count as missing.
    session.requireUserLoggedIn();
    List<PrivateKeyObject> keys = all(session, Ck.CKO_PRIVATE_KEY, TokenContent::privateKey);
    List<StoredCertificate> stored = all(session, Ck.CKO_CERTIFICATE, TokenContent::certificate);
    Map<String, X509Certificate> certificates = new LinkedHashMap<>();
    for (StoredCertificate each : stored) {
      each.value().ifPresent(value -> certificates.put("/certificate/" + each.object(), value));
    }
    return new TokenContent(keys, stored, entries(keys, stored), Map.copyOf(certificates));
  }

  private static <T> List<T> all(
      Session session, long objectClass, BiFunction<ObjectAttributes, Long, Optional<T>> reader) {
    List<Long> objects = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena).with(Cka.CKA_CLASS, objectClass).yes(Cka.CKA_TOKEN).build();
      ObjectSearch.forEach(session, template, objects::add);
    }
    List<T> found = new ArrayList<>();
    for (long object : objects) {
      try {
        reader.apply(new ObjectAttributes(session, object), object).ifPresent(found::add);
      } catch (HsmException e) {
        if (ReturnValue.of(e.returnValue()).filter(OF_AN_OBJECT::contains).isEmpty()) {
          throw e;
        }
      }
    }
    return List.copyOf(found);
  }

  private static Optional<PrivateKeyObject> privateKey(ObjectAttributes key, long object) {
    Optional<byte[]> id = key.read(Cka.CKA_ID).filter(value -> value.length > 0);
    return id.map(value ->
        new PrivateKeyObject(
            object,
            value,
            key.readBoolean(Cka.CKA_EXTRACTABLE).orElse(true)
                && !key.readBoolean(Cka.CKA_SENSITIVE).orElse(false)));
  }

  private static Optional<StoredCertificate> certificate(ObjectAttributes object, long handle) {
    Optional<String> label =
        object
            .read(Cka.CKA_LABEL)
            .filter(value -> value.length > 0)
            .map(value -> new String(value, StandardCharsets.UTF_8));
    byte[] id = object.read(Cka.CKA_ID).orElse(new byte[0]);
    return Optional.of(new StoredCertificate(handle, label, id, value(object)));
  }

  /** One that is too long is there nonetheless: its key must not be taken for missing. */
  private static Optional<X509Certificate> value(ObjectAttributes certificate) {
    try {
      return certificate.read(Cka.CKA_VALUE).flatMap(TokenContent::parsed);
    } catch (HsmException e) {
      if (ReturnValue.CKR_BUFFER_TOO_SMALL.is(e.returnValue())) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static Optional<X509Certificate> parsed(byte[] value) {
    try {
      return Optional.of(
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(value)));
    } catch (CertificateException e) {
      return Optional.empty();
    }
  }

  private static Map<String, Entry> entries(
      List<PrivateKeyObject> keys, List<StoredCertificate> certificates) {
    Map<String, Entry> entries = new LinkedHashMap<>();
    Set<ByteBuffer> ids = new LinkedHashSet<>();
    keys.forEach(key -> ids.add(ByteBuffer.wrap(key.id())));
    // Those whose id is their alias come last, and replace others'.
    ids.stream()
        .map(ByteBuffer::array)
        .sorted(Comparator.comparing(id -> alias(id, certificates).equals(Optional.of(text(id)))))
        .forEach(id ->
            alias(id, certificates)
                .ifPresent(alias ->
                    entries.put(
                        alias,
                        new Entry(
                            keys.stream().filter(key -> Arrays.equals(key.id(), id)).toList(),
                            of(alias, id, certificates)))));
    return Map.copyOf(entries);
  }

  /** Returns the alias of keys with an id; empty if they have no certificate. */
  private static Optional<String> alias(byte[] id, List<StoredCertificate> certificates) {
    List<String> labels =
        certificates.stream()
            .filter(each -> Arrays.equals(each.id(), id))
            .map(each -> each.label().orElse(text(id)))
            .toList();
    return labels.contains(text(id)) ? Optional.of(text(id)) : labels.stream().findFirst();
  }

  private static List<StoredCertificate> of(
      String alias, byte[] id, List<StoredCertificate> certificates) {
    return certificates.stream()
        .filter(each -> Arrays.equals(each.id(), id))
        .filter(each -> each.label().orElse(text(id)).equals(alias))
        .sorted(
            Comparator.comparing((StoredCertificate each) ->
                    each.value()
                        .map(value -> value.getNotBefore().toInstant())
                        .orElse(Instant.EPOCH))
                .reversed())
        .toList();
  }

  private static String text(byte[] id) {
    return new String(id, StandardCharsets.UTF_8);
  }

  Optional<PrivateKeyObject> privateKey(long object) {
    return keys.stream().filter(each -> each.object() == object).findFirst();
  }

  List<StoredCertificate> certificatesOf(String alias, byte[] id) {
    return of(alias, id, stored);
  }
}
