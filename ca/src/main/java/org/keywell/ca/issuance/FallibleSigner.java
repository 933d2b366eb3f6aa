package org.keywell.ca.issuance;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.Function;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.operator.ContentSigner;

/** Makes one signature with SHA-256, by a key that may fail. Not thread-safe. */
public final class FallibleSigner implements ContentSigner {

  private final AlgorithmIdentifier algorithm;
  private final Function<byte[], Optional<byte[]>> sign;
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();

  /** Bouncy Castle wraps what {@link #getSignature} throws. */
  private boolean hasFailed;

  /**
   * @param key on P-256, or RSA
   * @param sign returns a signature over SHA-256 of a message: ECDSA as RFC 3279 encodes it, or RSA
   *     by PKCS #1 v1.5; empty if the key cannot sign now
   */
  public FallibleSigner(SubjectPublicKeyInfo key, Function<byte[], Optional<byte[]>> sign) {
    this.algorithm =
        PKCSObjectIdentifiers.rsaEncryption.equals(key.getAlgorithm().getAlgorithm())
            ? new AlgorithmIdentifier(
                PKCSObjectIdentifiers.sha256WithRSAEncryption, DERNull.INSTANCE)
            : new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);
    this.sign = sign;
  }

  /** Whether the key could not sign. */
  public boolean hasFailed() {
    return hasFailed;
  }

  @Override
  public AlgorithmIdentifier getAlgorithmIdentifier() {
    return algorithm;
  }

  @Override
  public OutputStream getOutputStream() {
    return message;
  }

  @Override
  public byte[] getSignature() {
    Optional<byte[]> signature = sign.apply(message.toByteArray());
    hasFailed = signature.isEmpty();
    return signature.orElseThrow();
  }
}
