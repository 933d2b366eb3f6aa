package org.keywell.ca.token;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.List;

/**
 * A key on P-256 in the token that signs for the service itself: the log's checkpoints, TLS
 * handshakes, time stamps, or OCSP answers. It is never extractable. {@link CaBootstrap} makes it;
 * unless it has a {@link ServiceUse}, its certificate in the token is a placeholder. After {@code
 * C_Finalize} it must not be used: open it again.
 *
 * <p>Thread-safe.
 */
public final class P256Key {
  private static final String ALGORITHM = "SHA256withECDSA";
  private static final int BITS = 256;

  private final String label;
  private final PrivateKey key;
  private final List<X509Certificate> chain;
  private final PublicKey publicKey;
  private final Provider provider;

  private P256Key(String label, PrivateKey key, List<X509Certificate> chain, Provider provider) {
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
   * @param command makes the key, for the message if there is none
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED}, {@code KEY_EXPOSED} or {@code FAILED}
   */
  public static P256Key open(Provider token, String label, String command) {
    TokenKeyStore store = new TokenKeyStore(token);
    StoredKey key =
        store
            .find(label)
            .orElseThrow(() ->
                new CaTokenException(
                    CaTokenException.Reason.NOT_BOOTSTRAPPED,
                    "the token has no key '%s': run %s".formatted(label, command)));
    if (!(key.publicKey() instanceof ECPublicKey point)
        || point.getParams().getCurve().getField().getFieldSize() != BITS) {
      throw new CaTokenException(
          CaTokenException.Reason.FAILED, "key '" + label + "' is not on P-256");
    }
    return new P256Key(label, key.privateKey(), key.chain(), store.provider());
  }

  public PublicKey publicKey() {
    return publicKey;
  }

  /** Returns the certificates that the token holds for it, its own first. */
  public List<X509Certificate> chain() {
    return chain;
  }

  /**
   * Returns a signature over SHA-256 of the message, as RFC 3279 encodes it. It has been verified.
   *
   * @throws CaTokenException {@code FAILED} if the token does not sign, or signs wrongly
   */
  public byte[] sign(byte[] message) {
    try {
      byte[] signature = signOnce(message);
      Signature verifier = Signature.getInstance(ALGORITHM);
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

  private byte[] signOnce(byte[] message) throws GeneralSecurityException {
    Signature signer = Signature.getInstance(ALGORITHM, provider);
    signer.initSign(key);
    signer.update(message);
    return signer.sign();
  }
}
