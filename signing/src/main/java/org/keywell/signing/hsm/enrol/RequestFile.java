package org.keywell.signing.hsm.enrol;

import java.nio.file.Path;
import org.keywell.keypool.hsm.pkcs11.TransportRequest;
import org.keywell.settings.StartRefusedException;

/**
 * A token's request to the one that creates the wrapping key. Its fingerprint is that of the public
 * key, which openssl can also compute.
 *
 * @param format identifies the file type
 * @param token label, for people
 * @param serial for people
 * @param publicKey of the transport pair, a DER {@code SubjectPublicKeyInfo}
 */
record RequestFile(String format, String token, String serial, byte[] publicKey) {
  private static final String FORMAT = "keywell-transport-request-1";

  RequestFile {
    if (!format.equals(FORMAT)) {
      throw new IllegalArgumentException("not " + FORMAT);
    }
  }

  static RequestFile of(TransportRequest request) {
    return new RequestFile(
        FORMAT, request.tokenLabel(), request.tokenSerial(), request.publicKey());
  }

  /**
   * Reads a request.
   *
   * @throws StartRefusedException if the file is none
   */
  static RequestFile read(Path file) {
    return CeremonyFiles.parse(
        file, CeremonyFiles.read(file), RequestFile.class, "a request of ./keywell hsm transport");
  }

  KeyFingerprint fingerprint() {
    return KeyFingerprint.of(publicKey);
  }
}
