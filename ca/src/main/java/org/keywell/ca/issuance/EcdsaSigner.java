package org.keywell.ca.issuance;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.function.Function;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.operator.ContentSigner;

/** Makes one signature, by ECDSA with SHA-256, with a key that may fail. Not thread-safe. */
public final class EcdsaSigner implements ContentSigner {

  private static final AlgorithmIdentifier ECDSA =
      new AlgorithmIdentifier(X9ObjectIdentifiers.ecdsa_with_SHA256);

  private final Function<byte[], Optional<byte[]>> sign;
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();

  /** Bouncy Castle wraps what {@link #getSignature} throws. */
  private boolean hasFailed;

  /**
   * @param sign returns a signature over SHA-256 of a message, as RFC 3279 encodes it; empty if the
   *     key cannot sign now
   */
  public EcdsaSigner(Function<byte[], Optional<byte[]>> sign) {
    this.sign = sign;
  }

  /** Whether the key could not sign. */
  public boolean hasFailed() {
    return hasFailed;
  }

  @Override
  public AlgorithmIdentifier getAlgorithmIdentifier() {
    return ECDSA;
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
