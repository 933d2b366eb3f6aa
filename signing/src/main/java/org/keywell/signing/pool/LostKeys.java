package org.keywell.signing.pool;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.ExpectedKeys;
import org.keywell.signing.database.Rotation;
import org.keywell.signing.database.WrappingKeyRotations;
import org.keywell.signing.database.WrappingKeyUse;
import org.keywell.signing.database.WrappingKeyUse.Kind;
import org.keywell.signing.database.WrappingKeyUses;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.hsm.ManagedToken;
import org.keywell.signing.hsm.OpenDevice;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.SignedNote;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares, at the start, the keys that the database relies on with those that the tokens have: a
 * token may have been emptied, or restored from a backup of before a key was made.
 */
public final class LostKeys {

  private static final Logger log = LoggerFactory.getLogger(LostKeys.class);

  /** How many keys a line names. */
  private static final int NAMED = 5;

  /**
   * A token that is open.
   *
   * @param expects whether a wrapping key has the label of the settings and was not destroyed here
   * @param hasSecretKey looks for a {@code CKA_ID}
   */
  public record Token(
      String device,
      String id,
      Predicate<String> expects,
      List<String> wrappingKeyIds,
      Predicate<byte[]> hasSecretKey) {

    static Token of(OpenDevice device) {
      return new Token(
          device.name(),
          device.hsm().tokenId(),
          id -> device.isOfLabel(id) && !wasDestroyed(device, id),
          device.foundWrappingKeyIds(),
          device::hasSecretKey);
    }

    /** After a rotation that a restored database does not know. */
    private static boolean wasDestroyed(OpenDevice device, String id) {
      try {
        return device.destroyedWrappingKeyIds().contains(id);
      } catch (HsmException e) {
        // As WrappingKeyWatch: a token need not keep such notes.
        return false;
      }
    }
  }

  /**
   * What the tokens have.
   *
   * @param complete whether all devices of the settings are open
   * @param cas certificates of the issuing keys
   * @param managedWrappingKeyId empty without KMIP
   * @param logKeys those that sign the log's checkpoints; empty without a log
   */
  public record Present(
      List<Token> tokens,
      boolean complete,
      List<X509Certificate> cas,
      Optional<String> managedWrappingKeyId,
      List<NoteKey> logKeys) {

    /**
     * Returns what the devices have that are open.
     *
     * @param managed empty without KMIP
     */
    public static Present of(
        Devices devices,
        List<X509Certificate> cas,
        Optional<ManagedToken> managed,
        List<NoteKey> logKeys) {
      return new Present(
          devices.all().stream().map(Token::of).toList(),
          devices.missing().isEmpty(),
          cas,
          managed.map(ManagedToken::wrappingKeyId),
          logKeys);
    }
  }

  /**
   * What the operator says.
   *
   * @param creates whether the start creates keys that a token lacks
   * @param accepted whether a start that has done so goes on
   */
  public record Told(boolean creates, boolean accepted) {}

  private final Supplier<Present> present;
  private final ExpectedKeys expected;
  private final WrappingKeyUses uses;
  private final WrappingKeyRotations rotations;
  private final String instance;
  private final Told told;
  private final InstantSource clock;
  private volatile List<String> found = List.of();

  /**
   * @param clock for the CAs' validity
   */
  public LostKeys(
      Supplier<Present> present,
      ExpectedKeys expected,
      WrappingKeyUses uses,
      WrappingKeyRotations rotations,
      String instance,
      Told told,
      InstantSource clock) {
    this.present = present;
    this.expected = expected;
    this.uses = uses;
    this.rotations = rotations;
    this.instance = instance;
    this.told = told;
    this.clock = clock;
  }

  /**
   * Names what is lost. To be called before this run reports its wrapping keys.
   *
   * @throws StartRefusedException if a device lacks the wrapping key that it had in this instance,
   *     and the start may have made another one for it, unless that is accepted; or if there is
   *     nothing to accept
   */
  public void check() {
    Present now = present.get();
    List<WrappingKeyUse> reported = uses.all();
    List<String> lost = new ArrayList<>(wrappingKeys(now, reported));
    if (told.creates() && !lost.isEmpty() && !told.accepted()) {
      throw new StartRefusedException(
          "%s. Put the token back from its backup; to go on without what is under that key, start once with keywell.hsm.accept-lost-keys=true"
              .formatted(String.join("; ", lost)));
    }
    if (told.accepted() && lost.isEmpty()) {
      throw new StartRefusedException(
          "keywell.hsm.accept-lost-keys is true, and no wrapping key is lost: remove it");
    }
    lost.addAll(ofAnyToken(now, reported));
    lost.forEach(LostKeys::tell);
    found = List.copyOf(lost);
  }

  /** Compares once more, after a device has come late: what any token may have, if all are open. */
  public void checkWithLateDevice() {
    List<String> before = found;
    List<String> lost =
        ofAnyToken(present.get(), uses.all()).stream()
            .filter(line -> !before.contains(line))
            .toList();
    lost.forEach(LostKeys::tell);
    found = Stream.concat(before.stream(), lost.stream()).toList();
  }

  private static void tell(String line) {
    log.error("lost: {}", line);
  }

  private List<String> ofAnyToken(Present now, List<WrappingKeyUse> reported) {
    return now.complete() && reachesAll(now, reported)
        ? Stream.of(newerCa(now), external(now), managed(now), logKey(now))
            .flatMap(Optional::stream)
            .toList()
        : List.of();
  }

  /** Returns what the checks have found, a line for each kind of key. */
  public List<String> found() {
    return found;
  }

  /** A key that a rotation replaced, or another label of the settings, is meant to be gone. */
  private List<String> wrappingKeys(Present now, List<WrappingKeyUse> reported) {
    Set<String> replaced =
        rotations.all().stream().map(Rotation::oldId).collect(Collectors.toSet());
    return reported.stream()
        .filter(use -> use.instance().equals(instance) && use.kind() == Kind.WRAPS)
        .filter(use -> !replaced.contains(use.wrappingKeyId()))
        .filter(use ->
            now.tokens().stream()
                .anyMatch(token ->
                    token.device().equals(use.device())
                        && token.expects().test(use.wrappingKeyId())
                        && !token.wrappingKeyIds().contains(use.wrappingKeyId())))
        .map(use ->
            "the token of device %s lacks wrapping key %s, which it had when this instance last ran"
                .formatted(use.device(), use.wrappingKeyId()))
        .toList();
  }

  /** Other instances may have keys in tokens of theirs. */
  private boolean reachesAll(Present now, List<WrappingKeyUse> reported) {
    Set<String> tokens = now.tokens().stream().map(Token::id).collect(Collectors.toSet());
    return reported.stream()
        .allMatch(use -> use.instance().equals(instance) || tokens.contains(use.token()));
  }

  private Optional<String> newerCa(Present now) {
    Instant at = clock.instant();
    return expected.issuingCas().stream()
        .flatMap(der -> parsed(der).stream())
        .filter(ca -> ca.getNotAfter().toInstant().isAfter(at))
        .filter(
            ca -> now.cas().stream().noneMatch(had -> had.getPublicKey().equals(ca.getPublicKey())))
        .filter(ca ->
            now.cas().stream()
                .filter(had -> had.getSubjectX500Principal().equals(ca.getSubjectX500Principal()))
                .map(had -> had.getNotBefore().toInstant())
                .max(Comparator.naturalOrder())
                .filter(newest -> newest.isBefore(ca.getNotBefore().toInstant()))
                .isPresent())
        .findFirst()
        .map(ca ->
            "no token has the issuing key of the CA certificate with serial number %s, of %s, which has certified keys"
                .formatted(ca.getSerialNumber().toString(16), ca.getNotBefore().toInstant()));
  }

  private static Optional<X509Certificate> parsed(byte[] der) {
    try {
      return Optional.of(
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der)));
    } catch (CertificateException e) {
      return Optional.empty();
    }
  }

  private Optional<String> external(Present now) {
    List<String> names =
        expected.external().stream()
            .filter(key ->
                now.tokens().stream().noneMatch(token -> token.hasSecretKey().test(key.id())))
            .map(ExpectedKeys.External::name)
            .toList();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "no token has these keys of the external key store: %s%s"
                .formatted(
                    names.stream().limit(NAMED).collect(Collectors.joining(", ")),
                    names.size() > NAMED ? ", …" : ""));
  }

  /** A checkpoint is signed by a key of each type that the tokens have. */
  private Optional<String> logKey(Present now) {
    Set<Integer> here = now.logKeys().stream().map(NoteKey::id).collect(Collectors.toSet());
    Set<String> names = now.logKeys().stream().map(NoteKey::name).collect(Collectors.toSet());
    return expected
        .checkpoint()
        .flatMap(note ->
            SignedNote.parse(note).signatures().stream()
                .filter(signature -> names.contains(signature.name()))
                .map(NoteSignature::keyId)
                .filter(id -> !here.contains(id))
                .findFirst())
        .map("no token has the log's key %08x, which signed the latest checkpoint"::formatted);
  }

  private Optional<String> managed(Present now) {
    return now.managedWrappingKeyId()
        .flatMap(id -> {
          List<String> others =
              expected.managedWrappingKeyIds().stream().filter(other -> !other.equals(id)).toList();
          return others.isEmpty()
              ? Optional.empty()
              : Optional.of(
                  "no token has the wrapping key of some objects of KMIP's clients: "
                      + String.join(", ", others));
        });
  }
}
