package org.keywell.json;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;

/** What {@code POST /ca/revocations} asks for. */
public sealed interface RevocationOrder {

  RevocationReason reason();

  /** The certificate of a request or an act. */
  record OfRequest(UUID requestId, RevocationReason reason) implements RevocationOrder {}

  /** A signer's certificate with this serial number. */
  record OfSerial(BigInteger serial, RevocationReason reason) implements RevocationOrder {}

  /**
   * The certificate of the request that has this commitment to its signer in the log.
   *
   * @param commitment 32 bytes, in lower-case hexadecimal digits
   */
  record OfCommitment(String commitment, RevocationReason reason) implements RevocationOrder {}

  /** This certificate. */
  record OfCertificate(X509Certificate certificate, RevocationReason reason)
      implements RevocationOrder {}

  /**
   * Reads a body.
   *
   * @throws RefusedException naming the field that is wrong
   */
  static RevocationOrder of(RevocationBody body) {
    RevocationReason reason = reason(body.reason());
    long names =
        Stream.of(body.requestId(), body.serial(), body.signerCommitment(), body.certificate())
            .filter(name -> name != null)
            .count();
    if (names != 1) {
      throw refused("send one of requestId, serial, signerCommitment and certificate");
    }
    if (body.requestId() != null) {
      return new OfRequest(SignRequestParser.uuid(body.requestId()), reason);
    }
    if (body.serial() != null) {
      return new OfSerial(serial(body.serial()), reason);
    }
    return body.signerCommitment() != null
        ? new OfCommitment(commitment(body.signerCommitment()), reason)
        : new OfCertificate(certificate(String.valueOf(body.certificate())), reason);
  }

  private static RevocationReason reason(@Nullable String label) {
    if (label == null) {
      throw new RefusedException(Reason.MISSING_FIELD, "reason is missing");
    }
    return RevocationReason.labelled(label)
        .orElseThrow(
            () -> refused("reason is none of " + String.join(", ", RevocationReason.labels())));
  }

  private static BigInteger serial(String text) {
    if (!Pattern.matches(RevocationBody.SERIAL, text)) {
      throw refused("serial is not 1 to 40 hexadecimal digits");
    }
    return new BigInteger(text, 16);
  }

  private static String commitment(String text) {
    if (!Pattern.matches(RevocationBody.COMMITMENT, text)) {
      throw refused("signerCommitment is not 64 hexadecimal digits");
    }
    return text.toLowerCase(Locale.ROOT);
  }

  private static X509Certificate certificate(String text) {
    if (text.length() > RevocationBody.MOST_CHARACTERS) {
      throw refused(
          "certificate has more than %d characters".formatted(RevocationBody.MOST_CHARACTERS));
    }
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(Base64.getDecoder().decode(text)));
    } catch (IllegalArgumentException | CertificateException e) {
      throw refused("certificate is not an X.509 certificate, DER in base64");
    }
  }

  private static RefusedException refused(String detail) {
    return new RefusedException(Reason.BAD_REVOCATION, detail);
  }
}
