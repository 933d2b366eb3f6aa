package org.keywell.protection;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;

/** Signs by one private key, of whatever provider. Thread-safe if that is. */
public final class KeySigner implements MessageSigner {

  private final SignatureScheme scheme;
  private final PrivateKey key;
  private final List<X509Certificate> chain;

  /**
   * For a key and its certificates.
   *
   * @param chain leaf first
   * @throws IllegalArgumentException if a recipient would refuse the leaf's key or usage, or the
   *     scheme is not for this kind of key
   */
  public KeySigner(SignatureScheme scheme, PrivateKey key, List<X509Certificate> chain) {
    if (chain.isEmpty()
        || !Certificates.signs(chain.get(0))
        || !Certificates.algorithm(chain.get(0)).equals(scheme.keyAlgorithm())) {
      throw new IllegalArgumentException("the certificate is not one to sign messages with");
    }
    this.scheme = scheme;
    this.key = key;
    this.chain = List.copyOf(chain);
  }

  @Override
  public MessageSignature sign(byte[] attributes) {
    try {
      Signature engine = scheme.engine(Digest.SHA_512);
      engine.initSign(key);
      engine.update(attributes);
      return new MessageSignature(scheme, engine.sign(), chain);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a message", e);
    }
  }
}
