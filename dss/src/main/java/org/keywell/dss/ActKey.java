package org.keywell.dss;

import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.enumerations.EncryptionAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureAlgorithm;
import eu.europa.esig.dss.model.DSSException;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.signature.AbstractSignatureParameters;
import eu.europa.esig.dss.spi.DSSUtils;
import java.io.IOException;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.keywell.client.Act;
import org.keywell.client.Digest;

/**
 * The key of an act, as described to DSS.
 *
 * @param chain its certificate first, without the root: a verifier has that, or trusts nothing
 */
record ActKey(List<CertificateToken> chain, SignatureAlgorithm algorithm) {

  static ActKey of(Act act, Digest digest) throws IOException {
    try {
      List<CertificateToken> chain =
          act.certificateChain().stream()
              .map(DSSUtils::loadCertificate)
              .filter(certificate -> !certificate.isSelfSigned())
              .toList();
      if (chain.isEmpty()) {
        throw new IOException("the service answered an act without a certificate");
      }
      return new ActKey(
          chain,
          SignatureAlgorithm.getAlgorithm(encryption(act.signatureAlgorithm()), algorithm(digest)));
    } catch (DSSException e) {
      throw new IOException("the service answered an act whose certificate cannot be read", e);
    }
  }

  private static EncryptionAlgorithm encryption(String signatureAlgorithm) throws IOException {
    return switch (signatureAlgorithm) {
      case "RSASSA-PKCS1-v1_5" -> EncryptionAlgorithm.RSA;
      case "RSASSA-PSS" -> EncryptionAlgorithm.RSASSA_PSS;
      case "ECDSA" -> EncryptionAlgorithm.ECDSA;
      default -> throw new IOException("no document is signed by " + signatureAlgorithm);
    };
  }

  static DigestAlgorithm algorithm(Digest digest) {
    return switch (digest) {
      case SHA_256 -> DigestAlgorithm.SHA256;
      case SHA_384 -> DigestAlgorithm.SHA384;
      case SHA_512 -> DigestAlgorithm.SHA512;
    };
  }

  CertificateToken certificate() {
    return chain.get(0);
  }

  /** Returns the claimed time, or the start of the certificate's validity if that is later. */
  Instant signingTime(Instant claimed) {
    Instant earliest = certificate().getNotBefore().toInstant();
    return claimed.isBefore(earliest) ? earliest : claimed;
  }

  void describe(AbstractSignatureParameters<?> parameters, Instant claimedTime) {
    parameters.setSigningCertificate(certificate());
    parameters.setCertificateChain(chain);
    parameters.setDigestAlgorithm(algorithm.getDigestAlgorithm());
    parameters.setEncryptionAlgorithm(algorithm.getEncryptionAlgorithm());
    parameters.bLevel().setSigningDate(Date.from(signingTime(claimedTime)));
  }
}
