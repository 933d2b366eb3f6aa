package org.keywell.rest.tls;

import java.security.PrivateKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.ca.BoundedSigner;

/** A private key on P-256 that stays in its token. Only {@link TokenSignatures} can use it. */
final class TokenPrivateKey implements PrivateKey {

  private static final long serialVersionUID = 1;

  private final transient BoundedSigner key;

  TokenPrivateKey(BoundedSigner key) {
    this.key = key;
  }

  /** As {@link BoundedSigner#sign}. */
  Optional<byte[]> sign(byte[] message) {
    return key.sign(message);
  }

  @Override
  public String getAlgorithm() {
    return "EC";
  }

  @Override
  public @Nullable String getFormat() {
    return null;
  }

  @Override
  public byte @Nullable [] getEncoded() {
    return null;
  }
}
