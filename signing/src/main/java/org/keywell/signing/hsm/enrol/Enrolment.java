package org.keywell.signing.hsm.enrol;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.keywell.keypool.hsm.pkcs11.EnrolledKey;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.TokenBootstrap;
import org.keywell.keypool.hsm.pkcs11.TransportRequest;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyGenerations;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyOrigin;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyRecipient;
import org.keywell.signing.hsm.HsmCredentials;
import org.keywell.signing.hsm.TokenAccess;

/**
 * One wrapping key in several tokens. Files travel between tokens by any channel; a person carries
 * their fingerprints by another. Each method reports what it did, one line each.
 */
public final class Enrolment {

  private final TokenAccess token;
  private final Pkcs11Config config;
  private final HsmCredentials credentials;

  public Enrolment(TokenAccess token) {
    this.token = token;
    this.config = token.config();
    this.credentials = token.credentials();
  }

  /**
   * Makes this token request a wrapping key. Repeats use the same transport pair.
   *
   * @param file is written
   */
  public List<String> request(Path file) {
    CeremonyFiles.requireNew(file);
    token.requireNoRefusedLogin();
    try (Pin pin = credentials.userPin()) {
      TransportRequest made = WrappingKeyRecipient.request(config, pin);
      RequestFile request = RequestFile.of(made);
      CeremonyFiles.writeNew(file, CeremonyFiles.json(request));
      return List.of(
          "request of token '%s' (serial %s) written to %s"
              .formatted(request.token(), request.serial(), file),
          "fingerprint: " + request.fingerprint());
    }
  }

  /**
   * Creates a new wrapping key in this token and, next to each request, an answer to it.
   *
   * @param label of the new key
   * @param fingerprints of the requests, as seen on their side, in any order
   * @throws FingerprintMismatchException if one does not match; nothing was done then
   */
  public List<String> enrol(String label, List<Path> requests, List<String> fingerprints) {
    Pkcs11Config withKey = config.withWrappingKeyLabel(label);
    List<RequestFile> compared = compared(requests, fingerprints);
    List<Path> files = requests.stream().map(Enrolment::answerTo).toList();
    files.forEach(CeremonyFiles::requireNew);
    token.requireNoRefusedLogin();
    List<String> report = new ArrayList<>();
    try (Pin pin = credentials.userPin()) {
      String id =
          WrappingKeyOrigin.enrol(
              withKey,
              pin,
              compared.stream().map(RequestFile::publicKey).toList(),
              keys -> report.addAll(write(compared, files, keys)));
      report.addFirst("created: wrapping key " + id);
    }
    return report;
  }

  private static List<RequestFile> compared(List<Path> files, List<String> given) {
    Set<KeyFingerprint> fingerprints =
        given.stream().map(KeyFingerprint::parse).collect(Collectors.toCollection(HashSet::new));
    List<RequestFile> requests = files.stream().map(RequestFile::read).toList();
    for (int i = 0; i < files.size(); i++) {
      // Not shown: the value to compare must come from the other side.
      if (!fingerprints.remove(requests.get(i).fingerprint())) {
        throw new FingerprintMismatchException(
            "no fingerprint given is that of %s; nothing was done".formatted(files.get(i)));
      }
    }
    if (!fingerprints.isEmpty()) {
      throw new FingerprintMismatchException(
          "no request has the fingerprint %s; nothing was done"
              .formatted(fingerprints.iterator().next()));
    }
    return requests;
  }

  private static Path answerTo(Path request) {
    return request.resolveSibling(request.getFileName() + ".answer");
  }

  private static List<String> write(
      List<RequestFile> requests, List<Path> files, List<EnrolledKey> keys) {
    List<String> report = new ArrayList<>();
    List<Path> written = new ArrayList<>();
    try {
      for (int i = 0; i < files.size(); i++) {
        byte[] answer = CeremonyFiles.json(AnswerFile.of(requests.get(i), keys.get(i)));
        CeremonyFiles.writeNew(files.get(i), answer);
        written.add(files.get(i));
        report.add(
            "answer to token '%s' (serial %s) written to %s"
                .formatted(requests.get(i).token(), requests.get(i).serial(), files.get(i)));
        report.add("fingerprint: " + KeyFingerprint.of(answer));
      }
      return report;
    } catch (UncheckedIOException e) {
      written.forEach(CeremonyFiles::delete);
      throw e;
    }
  }

  /**
   * Imports an answer's wrapping key into this token. Repeating it changes nothing.
   *
   * @param fingerprint the answer's, as seen on the other side
   * @throws FingerprintMismatchException if it is another; nothing was done then
   */
  public List<String> accept(Path file, String fingerprint) {
    KeyFingerprint given = KeyFingerprint.parse(fingerprint);
    byte[] content = CeremonyFiles.read(file);
    if (!given.equals(KeyFingerprint.of(content))) {
      throw new FingerprintMismatchException(
          "the fingerprint given is not that of %s; nothing was done".formatted(file));
    }
    EnrolledKey key = AnswerFile.parse(file, content).key();
    token.requireNoRefusedLogin();
    try (Pin pin = credentials.userPin()) {
      TokenBootstrap.Result result = WrappingKeyRecipient.accept(config, pin, key);
      return List.of(
          (result.created() ? "created: " : "exists:  ") + result.description(),
          WrappingKeyGenerations.isNumbered(key.label())
              ? "to use it, run ./keywell rotate-wrapping-key once all HSMs have it"
              : "to use it, set keywell.hsm.wrapping-key-label to '%s'".formatted(key.label()));
    }
  }
}
