package org.keywell.ca.agreement;

import java.security.InvalidKeyException;
import java.security.Key;
import java.security.SecureRandom;
import java.security.interfaces.XECKey;
import java.security.interfaces.XECPrivateKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import javax.crypto.KeyAgreementSpi;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.math.ec.rfc7748.X25519;
import org.bouncycastle.util.BigIntegers;
import org.jspecify.annotations.Nullable;

/**
 * One agreement by X25519. A peer's point of low order is an {@link InvalidKeyException}, by which
 * TLS ends the handshake; Bouncy Castle's own throws what TLS does not expect. Not thread-safe.
 *
 * <p>Java makes it by its name, for which it has to be public.
 */
public final class X25519Agreement extends KeyAgreementSpi {

  private byte @Nullable [] scalar;
  private byte @Nullable [] secret;

  @Override
  protected void engineInit(Key key, @Nullable SecureRandom random) throws InvalidKeyException {
    if (!(key instanceof XECPrivateKey own) || !isX25519(own)) {
      throw new InvalidKeyException("not a private key for X25519");
    }
    scalar = own.getScalar().orElseThrow(() -> new InvalidKeyException("the key is not at hand"));
    secret = null;
  }

  @Override
  protected void engineInit(
      Key key, AlgorithmParameterSpec parameters, @Nullable SecureRandom random)
      throws InvalidKeyException {
    engineInit(key, random);
  }

  @Override
  protected @Nullable Key engineDoPhase(Key key, boolean lastPhase) throws InvalidKeyException {
    if (scalar == null || !lastPhase) {
      throw new IllegalStateException("X25519 has one phase, after its own key is set");
    }
    if (!(key instanceof XECPublicKey peer) || !isX25519(peer)) {
      throw new InvalidKeyException("not a public key for X25519");
    }
    byte[] point = littleEndian(peer);
    byte[] result = new byte[X25519.POINT_SIZE];
    if (!X25519.calculateAgreement(scalar, 0, point, 0, result, 0)) {
      throw new InvalidKeyException("the peer's point is of low order (RFC 7748, section 6.1)");
    }
    secret = result;
    return null;
  }

  private static boolean isX25519(XECKey key) {
    return key.getParams() instanceof NamedParameterSpec named
        && named.getName().equals(NamedParameterSpec.X25519.getName());
  }

  private static byte[] littleEndian(XECPublicKey key) {
    byte[] number = BigIntegers.asUnsignedByteArray(X25519.POINT_SIZE, key.getU());
    for (int i = 0; i < number.length / 2; i++) {
      byte low = number[i];
      number[i] = number[number.length - 1 - i];
      number[number.length - 1 - i] = low;
    }
    return number;
  }

  @Override
  protected byte[] engineGenerateSecret() {
    if (secret == null) {
      throw new IllegalStateException("no phase has been done");
    }
    byte[] result = secret;
    secret = null;
    return result;
  }

  @Override
  protected int engineGenerateSecret(byte[] target, int offset) throws ShortBufferException {
    if (target.length - offset < X25519.POINT_SIZE) {
      throw new ShortBufferException();
    }
    byte[] result = engineGenerateSecret();
    System.arraycopy(result, 0, target, offset, result.length);
    Arrays.fill(result, (byte) 0);
    return result.length;
  }

  @Override
  protected SecretKey engineGenerateSecret(String algorithm) {
    byte[] result = engineGenerateSecret();
    try {
      return new SecretKeySpec(result, algorithm);
    } finally {
      Arrays.fill(result, (byte) 0);
    }
  }
}
