package org.keywell.jms;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.keywell.protection.Sealer;
import org.keywell.settings.JmsProtection;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.caller.Caller;

/** The certificates that answers are encrypted to. Immutable. */
final class Recipients {

  private final Map<String, X509Certificate> byCaller = new HashMap<>();

  /**
   * Reads the certificates.
   *
   * @throws StartRefusedException if one cannot be read, or is not for the encryption of keys
   */
  Recipients(List<JmsProtection.Recipient> recipients) {
    for (JmsProtection.Recipient recipient : recipients) {
      Path file = Objects.requireNonNull(recipient.certificate());
      X509Certificate certificate = read(recipient.caller(), file);
      if (!canEncipherKeys(certificate)) {
        throw new StartRefusedException(
            text(
                recipient.caller(),
                file + " is not for the encryption of keys by RSA, or too weak"));
      }
      byCaller.put(recipient.caller(), certificate);
    }
  }

  private static X509Certificate read(String caller, Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    } catch (IOException | CertificateException e) {
      throw new StartRefusedException(
          text(caller, file + " has no certificate that can be read"), e);
    }
  }

  private static String text(String caller, String reason) {
    return "keywell.jms.protection-file: the recipient of " + caller + ": " + reason;
  }

  private static boolean canEncipherKeys(X509Certificate certificate) {
    try {
      Sealer _ = Sealer.confidentiality(certificate, 1);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Returns whom an answer is encrypted to; empty: it cannot be.
   *
   * @param signer of the request, the own certificate first; empty if it has no signature
   */
  Optional<X509Certificate> of(Caller caller, List<X509Certificate> signer, Instant now) {
    return Stream.concat(signer.stream().limit(1), Stream.ofNullable(byCaller.get(caller.name())))
        .filter(Recipients::canEncipherKeys)
        .filter(certificate -> isValid(certificate, now))
        .findFirst();
  }

  private static boolean isValid(X509Certificate certificate, Instant now) {
    return !now.isBefore(certificate.getNotBefore().toInstant())
        && !now.isAfter(certificate.getNotAfter().toInstant());
  }
}
