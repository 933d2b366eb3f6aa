package org.keywell.signing.hsm.enrol;

import java.nio.file.Path;
import java.util.HexFormat;
import org.keywell.keypool.hsm.pkcs11.EnrolledKey;
import org.keywell.settings.StartRefusedException;

/**
 * The answer to a token: the wrapping key, which only that token can decrypt. The fingerprint
 * covers the whole file, as {@code sha256sum} computes it: anyone who can create such a file knows
 * the key, so nothing in it may come from someone else.
 *
 * @param format identifies the file type
 * @param token label, for people
 * @param serial for people
 * @param wrappingKeyLabel the key's label, the same in each token
 * @param wrappingKeyId the key's {@code CKA_ID} in hexadecimal, the same in each token
 * @param transportKey the public key it is encrypted for, a DER {@code SubjectPublicKeyInfo}
 * @param encryptedKey the AES key, by RSA-OAEP
 * @param checkPublicKey of a throw-away pair, a DER {@code SubjectPublicKeyInfo}
 * @param checkPrivateKey the same pair's private key, wrapped by the AES key
 */
record AnswerFile(
    String format,
    String token,
    String serial,
    String wrappingKeyLabel,
    String wrappingKeyId,
    byte[] transportKey,
    byte[] encryptedKey,
    byte[] checkPublicKey,
    byte[] checkPrivateKey) {
  private static final String FORMAT = "keywell-wrapping-key-1";

  AnswerFile {
    if (!format.equals(FORMAT)) {
      throw new IllegalArgumentException("not " + FORMAT);
    }
  }

  static AnswerFile of(RequestFile request, EnrolledKey key) {
    return new AnswerFile(
        FORMAT,
        request.token(),
        request.serial(),
        key.label(),
        HexFormat.of().formatHex(key.ckaId()),
        key.transportKey(),
        key.encryptedKey(),
        key.checkPublicKey(),
        key.checkPrivateKey());
  }

  /**
   * Parses an answer.
   *
   * @param file named in messages
   * @throws StartRefusedException if the content is none
   */
  static AnswerFile parse(Path file, byte[] content) {
    return CeremonyFiles.parse(file, content, AnswerFile.class, "an answer of ./keywell hsm enrol");
  }

  EnrolledKey key() {
    return new EnrolledKey(
        wrappingKeyLabel,
        HexFormat.of().parseHex(wrappingKeyId),
        transportKey,
        encryptedKey,
        checkPublicKey,
        checkPrivateKey);
  }
}
