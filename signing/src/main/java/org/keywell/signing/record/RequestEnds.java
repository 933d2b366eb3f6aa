package org.keywell.signing.record;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProvenIdentity;
import org.keywell.signing.log.LogEntry;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;

/**
 * What the log says about requests that ended: hashes, ids and times, so that a document, a
 * certificate and a key can be matched, and no person can be read from it. The signer is in it as a
 * salted commitment. Thread-safe.
 */
final class RequestEnds {

  private static final int SALT_BYTES = 16;

  private final SecureRandom random = new SecureRandom();
  private final String instance;

  RequestEnds(String instance) {
    this.instance = instance;
  }

  /** Returns a new salt for each; kept with the record, so that the commitment can be opened. */
  List<byte[]> salts(int number) {
    List<byte[]> salts = new ArrayList<>(number);
    for (int i = 0; i < number; i++) {
      byte[] salt = new byte[SALT_BYTES];
      random.nextBytes(salt);
      salts.add(salt);
    }
    return salts;
  }

  /**
   * Returns the entries about those that are on record now.
   *
   * @param ended for each, whether it is
   */
  List<LogEntry> entries(List<Entry.Outcome> outcomes, boolean[] ended, List<byte[]> salts) {
    List<LogEntry> entries = new ArrayList<>();
    for (int i = 0; i < ended.length; i++) {
      if (ended[i]) {
        entries.add(entry(outcomes.get(i), salts.get(i)));
      }
    }
    return entries;
  }

  private LogEntry entry(Entry.Outcome end, byte[] salt) {
    SignRequest request = end.request();
    LogEntry entry =
        LogEntry.of("request", request.requestId())
            .text("instance", instance)
            .text("caller", request.caller().name())
            .hex("signer", commitment(salt, request.signerReference()))
            .text("profile", request.profile())
            .text("digestAlgorithm", request.digestAlgorithm().label())
            .base64("digests", request.digests())
            .text("signatureAlgorithm", request.scheme().label())
            .text("keySpec", request.keySpec().label());
    addProof(entry, request.identity());
    addOutcome(entry, end.outcome());
    addCertificate(entry, end.outcome().issued());
    addKey(entry, end.outcome());
    for (Stage stage : Stage.values()) {
      end.times().at(stage).ifPresent(at -> entry.time(name(stage), at));
    }
    return entry;
  }

  private static String name(Stage stage) {
    return switch (stage) {
      case REQUEST_RECEIVED -> "received";
      case REQUEST_START_TO_PROCESS -> "startedToProcess";
      case REQUEST_GOT_KEY_PAIR -> "gotKeyPair";
      case SIGNED -> "signed";
      case CERTIFIED -> "certified";
      case KEY_DESTROYED -> "keyDestroyed";
      case REQUEST_FINISHED -> "finished";
    };
  }

  private static void addProof(LogEntry entry, @Nullable ProvenIdentity identity) {
    if (identity != null) {
      entry.text("provider", identity.provider()).hex("proofSha256", identity.sha256());
    }
  }

  private static void addOutcome(LogEntry entry, SignOutcome outcome) {
    switch (outcome) {
      case SignOutcome.Signed signed ->
          entry
              .text("status", "signed")
              .hex(
                  "signaturesSha256",
                  signed.signatures().stream().map(RequestEnds::sha256).toList());
      case SignOutcome.Failed failed ->
          entry.text("status", "failed").text("failure", failed.reason().label());
      case SignOutcome.Expired expired -> entry.text("status", "expired");
      case SignOutcome.Cancelled cancelled -> entry.text("status", "cancelled");
      case SignOutcome.Opened opened -> throw new IllegalArgumentException("an act that is open");
    }
  }

  private static void addCertificate(LogEntry entry, @Nullable IssuedCertificate issued) {
    if (issued != null) {
      entry
          .text("certificateSerial", issued.serial())
          .hex("certificateSha256", sha256(issued.certificate()));
    }
  }

  /** The public key is named as in the record: only if it was certified for this request. */
  private static void addKey(LogEntry entry, SignOutcome outcome) {
    KeyUse use = outcome.keyUse();
    if (use != null) {
      boolean certified = outcome.issued() != null && !use.recordedElsewhere();
      entry
          .number("keyId", use.keyId())
          .text("wrappingKey", use.wrappingKeyId())
          .hex("publicKeySha256", certified ? use.publicKeySha256() : null)
          .number("destruction", use.destruction().returnValue());
    }
  }

  private static byte[] commitment(byte[] salt, String reference) {
    MessageDigest digest = sha256();
    digest.update(salt);
    return digest.digest(reference.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] sha256(byte[] bytes) {
    return sha256().digest(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
