package org.keywell.jms;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.protection.KeySigner;
import org.keywell.protection.MessageSigner;
import org.keywell.protection.Opener;
import org.keywell.protection.SignatureScheme;

/**
 * This service's keys for messages.
 *
 * @param signing signs answers; null: none is signed
 * @param decryption opens requests; null: none is encrypted
 */
public record MessageKeys(@Nullable Own signing, @Nullable Own decryption) {

  /**
   * A key and its certificates.
   *
   * @param chain the key's certificate first
   */
  public record Own(PrivateKey key, List<X509Certificate> chain) {
    public Own {
      chain = List.copyOf(chain);
    }

    /**
     * @throws IllegalArgumentException if it cannot sign
     */
    MessageSigner signer() {
      SignatureScheme scheme =
          key.getAlgorithm().equals("EC")
              ? SignatureScheme.ECDSA
              : SignatureScheme.RSASSA_PKCS1_V1_5;
      return new KeySigner(scheme, key, chain);
    }

    /**
     * Requires that answers can be signed by it.
     *
     * @throws IllegalStateException if not
     */
    public Own requireSigns() {
      try {
        MessageSigner _ = signer();
        return this;
      } catch (IllegalArgumentException e) {
        throw new IllegalStateException("its key cannot sign: " + e.getMessage(), e);
      }
    }

    /**
     * Requires that requests can be encrypted to it.
     *
     * @throws IllegalStateException if not
     */
    public Own requireDecrypts() {
      try {
        Opener _ = Opener.privacy(1, key, chain.getFirst());
        return this;
      } catch (IllegalArgumentException e) {
        throw new IllegalStateException("nobody can encrypt to it: " + e.getMessage(), e);
      }
    }

    /** Returns nothing of the key. */
    @Override
    public String toString() {
      return "key of " + chain.getFirst().getSubjectX500Principal();
    }
  }
}
