package org.keywell.ca.token;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.Signature;

/**
 * The key in the token that signs the log's checkpoints: EC P-256, never extractable. Made by
 * {@link CaBootstrap#ensureAuditKey}; its certificate is a placeholder, since those who verify know
 * the key itself. After {@code C_Finalize} it must not be used: open it again.
 *
 * <p>Thread-safe.
 */
public final class AuditKey {
  private static final String ALGORITHM = "SHA256withECDSA";

  private final PrivateKey key;
  private final PublicKey publicKey;
  private final Provider provider;

  private AuditKey(PrivateKey key, PublicKey publicKey, Provider provider) {
    this.key = key;
    this.publicKey = publicKey;
    this.provider = provider;
  }

  /**
   * Opens the token and finds the key.
   *
   * @param pin not kept; the caller wipes it
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED}, {@code UNAVAILABLE}, {@code PIN_REFUSED},
   *     {@code KEY_EXPOSED} or {@code FAILED}
   */
  public static AuditKey open(TokenAddress address, char[] pin, String label) {
    TokenKeyStore store = TokenKeyStore.open(Providers.using(address), pin);
    StoredKey key =
        store
            .find(label)
            .orElseThrow(() ->
                new CaTokenException(
                    CaTokenException.Reason.NOT_BOOTSTRAPPED,
                    "the token has no audit key " + label + ": run the bootstrap"));
    return new AuditKey(key.privateKey(), key.publicKey(), store.provider());
  }

  public PublicKey publicKey() {
    return publicKey;
  }

  /**
   * Returns a signature over SHA-256 of the message, as RFC 3279 encodes it. It has been verified.
   *
   * @throws CaTokenException {@code FAILED} if the token does not sign, or signs wrongly
   */
  public byte[] sign(byte[] message) {
    try {
      Signature signer = Signature.getInstance(ALGORITHM, provider);
      signer.initSign(key);
      signer.update(message);
      byte[] signature = signer.sign();
      Signature verifier = Signature.getInstance(ALGORITHM);
      verifier.initVerify(publicKey);
      verifier.update(message);
      if (!verifier.verify(signature)) {
        throw new CaTokenException(
            CaTokenException.Reason.FAILED, "what the audit key signed does not verify");
      }
      return signature;
    } catch (GeneralSecurityException | ProviderException e) {
      throw new CaTokenException(
          CaTokenException.Reason.FAILED, "the audit key does not sign: " + e.getMessage(), e);
    }
  }
}
