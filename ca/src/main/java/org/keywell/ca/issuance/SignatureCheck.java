package org.keywell.ca.issuance;

import java.io.IOException;
import java.io.OutputStream;
import java.security.PublicKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.util.PublicKeyFactory;
import org.bouncycastle.operator.ContentVerifier;
import org.bouncycastle.operator.ContentVerifierProvider;
import org.bouncycastle.operator.DefaultDigestAlgorithmIdentifierFinder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.bc.BcECContentVerifierProviderBuilder;
import org.bouncycastle.operator.bc.BcRSAContentVerifierProviderBuilder;

/**
 * Verifies signatures of one CA key. Keeps the decoded key: Bouncy Castle caches values computed
 * for its point, so later ECDSA verifications are cheaper than the first. Thread-safe.
 */
final class SignatureCheck {
  private final ContentVerifierProvider verifiers;
  private final AlgorithmIdentifier algorithm;

  /**
   * @throws IssuingKeyException if Bouncy Castle does not support this kind of key
   */
  SignatureCheck(PublicKey key, AlgorithmIdentifier algorithm) {
    this.algorithm = algorithm;
    try {
      AsymmetricKeyParameter decoded =
          PublicKeyFactory.createKey(SubjectPublicKeyInfo.getInstance(key.getEncoded()));
      var digests = new DefaultDigestAlgorithmIdentifierFinder();
      this.verifiers =
          (decoded instanceof RSAKeyParameters
                  ? new BcRSAContentVerifierProviderBuilder(digests)
                  : new BcECContentVerifierProviderBuilder(digests))
              .build(decoded);
    } catch (IOException | OperatorCreationException e) {
      throw new IssuingKeyException("the issuing certificate's key cannot be used to verify", e);
    }
  }

  /** Whether the CA's key made the signature; false if it is malformed. */
  boolean verifies(byte[] content, byte[] signature) {
    try {
      ContentVerifier verifier = verifiers.get(algorithm);
      try (OutputStream stream = verifier.getOutputStream()) {
        stream.write(content);
      }
      return verifier.verify(signature);
    } catch (OperatorCreationException | IOException | RuntimeException e) {
      // Bouncy Castle reports malformed signatures with various exceptions.
      return false;
    }
  }
}
