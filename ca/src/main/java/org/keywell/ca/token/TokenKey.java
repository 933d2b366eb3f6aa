package org.keywell.ca.token;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import org.keywell.ca.issuance.SignatureAlgorithms;

/**
 * A key in the token that signs for the service itself, with SHA-256: the log's checkpoints, TLS
 * handshakes, time stamps, or OCSP answers. It is never extractable. {@link CaBootstrap} makes it;
 * unless it has a {@link ServiceUse}, its certificate in the token is a placeholder. After {@code
 * C_Finalize} it must not be used: open it again.
 *
 * <p>Thread-safe.
 */
public final class TokenKey {
  private final String label;
  private final PrivateKey key;
  private final List<X509Certificate> chain;
  private final PublicKey publicKey;
  private final Provider provider;

  private TokenKey(String label, PrivateKey key, List<X509Certificate> chain, Provider provider) {
    this.label = label;
    this.key = key;
    this.chain = List.copyOf(chain);
    this.publicKey = chain.getFirst().getPublicKey();
    this.provider = provider;
  }

  /**
   * Finds the key.
   *
   * @param token as for {@link CaToken}
   * @param spec the kind that it must be of, not EC-P384
   * @param command makes the key, for the message if there is none
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED}, {@code KEY_EXPOSED} or {@code FAILED}
   */
  public static TokenKey open(Provider token, String label, CaKeySpec spec, String command) {
    TokenKeyStore store = new TokenKeyStore(token);
    StoredKey key =
        store
            .find(label)
            .orElseThrow(() ->
                new CaTokenException(
                    CaTokenException.Reason.NOT_BOOTSTRAPPED,
                    "the token has no key '%s': run %s".formatted(label, command)));
    if (!spec.isOf(key.publicKey())) {
      throw new CaTokenException(
          CaTokenException.Reason.FAILED, "key '%s' is not of the kind %s".formatted(label, spec));
    }
    return new TokenKey(label, key.privateKey(), key.chain(), store.provider());
  }

  public PublicKey publicKey() {
    return publicKey;
  }

  /** Returns the certificates that the token holds for it, its own first. */
  public List<X509Certificate> chain() {
    return chain;
  }

  /**
   * Returns a signature over SHA-256 of the message: ECDSA as RFC 3279 encodes it, or RSA by PKCS
   * #1 v1.5. It has been verified.
   *
   * @throws CaTokenException {@code FAILED} if the token does not sign, or signs wrongly
   */
  public byte[] sign(byte[] message) {
    try {
      byte[] signature = signOnce(message);
      Signature verifier = Signature.getInstance(algorithm());
      verifier.initVerify(publicKey);
      verifier.update(message);
      if (!verifier.verify(signature)) {
        throw new CaTokenException(
            CaTokenException.Reason.FAILED, "what key '" + label + "' signed does not verify");
      }
      return signature;
    } catch (GeneralSecurityException | ProviderException e) {
      throw new CaTokenException(
          CaTokenException.Reason.FAILED,
          "key '%s' does not sign: %s".formatted(label, e.getMessage()),
          e);
    }
  }

  private String algorithm() {
    return SignatureAlgorithms.forKey(publicKey);
  }

  private byte[] signOnce(byte[] message) throws GeneralSecurityException {
    Signature signer = Signature.getInstance(algorithm(), provider);
    signer.initSign(key);
    signer.update(message);
    return signer.sign();
  }
}
