package org.keywell.loadgen.messages;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.keywell.client.Digest;
import org.keywell.client.KeywellClient;
import org.keywell.client.SignRequest;
import org.keywell.client.SignResponse;
import org.keywell.client.Signer;
import org.keywell.protection.MessageSignature;
import org.keywell.protection.MessageSigner;
import org.keywell.protection.SignatureScheme;

/**
 * Has a service sign each message with a key of its own. Thread-safe.
 *
 * @param pooled whether keys must have been generated before
 * @param deadline of each signature; without a pool, every other client's key may come first
 */
record ServiceSigner(KeywellClient client, String keySpec, boolean pooled, Duration deadline)
    implements MessageSigner {
  private static final Signer SIGNER = Signer.named("Keywell Load");

  @Override
  public MessageSignature sign(byte[] attributes) {
    boolean curve = keySpec.startsWith("EC");
    try {
      SignResponse answer =
          client
              .sign(
                  SignRequest.of(Digest.SHA_512)
                      .digest(MessageDigest.getInstance(Digest.SHA_512.label()).digest(attributes))
                      .signatureAlgorithm(curve ? "ECDSA" : "RSASSA-PKCS1-v1_5")
                      .keySpec(keySpec)
                      .signer(SIGNER)
                      .deadline(deadline)
                      .build())
              .orThrow();
      if (answer.preGeneratedKeyPair() != pooled) {
        throw new IllegalStateException(
            pooled ? "a key was not from the pool" : "a key was not generated on the fly");
      }
      return new MessageSignature(
          curve ? SignatureScheme.ECDSA : SignatureScheme.RSASSA_PKCS1_V1_5,
          answer.signature(),
          belowRoot(answer.certificateChain()));
    } catch (IOException | CertificateException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("the service: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The receiver has the root. */
  private static List<X509Certificate> belowRoot(List<byte[]> chain) throws CertificateException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> certificates = new ArrayList<>();
    for (byte[] der : chain.subList(0, chain.size() - 1)) {
      certificates.add(
          (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
    }
    return certificates;
  }
}
