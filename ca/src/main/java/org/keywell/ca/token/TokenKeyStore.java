package org.keywell.ca.token;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginException;
import org.jspecify.annotations.Nullable;

/**
 * Keys and their certificates in a token, by label. SunPKCS11 matches a private key with its
 * certificate by CKA_ID, which it sets to the label, and finds the rest of a chain by subject.
 * Never logs out: the login belongs to the whole process.
 */
final class TokenKeyStore {
  private final Provider provider;

  private TokenKeyStore(Provider provider) {
    this.provider = provider;
  }

  /** Logs in once; if the process is already logged in, the PIN is not checked. */
  static TokenKeyStore open(Provider provider, char[] pin) {
    TokenKeyStore store = new TokenKeyStore(provider);
    store.load(pin);
    return store;
  }

  /** Returns a store for another provider of a token that the process is logged in to. */
  static TokenKeyStore openLoggedIn(Provider provider) {
    return new TokenKeyStore(provider);
  }

  Provider provider() {
    return provider;
  }

  /** Rereads the token; empty if it has no key with this label, or one without a certificate. */
  Optional<StoredKey> find(String label) {
    KeyStore keyStore = load(null);
    try {
      if (!(keyStore.getKey(label, null) instanceof PrivateKey key)) {
        return Optional.empty();
      }
      Certificate[] chain = keyStore.getCertificateChain(label);
      if (key.getEncoded() != null) {
        throw new CaTokenException(
            CaTokenException.Reason.KEY_EXPOSED, "private key " + label + " can be read out");
      }
      return Optional.of(
          new StoredKey(
              key,
              Arrays.stream(chain).map(certificate -> (X509Certificate) certificate).toList()));
    } catch (GeneralSecurityException | ProviderException e) {
      throw failed("key " + label + " cannot be read", e);
    }
  }

  /**
   * Stores a key of this provider under a label, or replaces the certificates of the existing key.
   *
   * <p>The first certificate must be for that very key: SunPKCS11 treats a certificate for another
   * key as a new entry and destroys the private key that has the label.
   */
  void store(String label, PrivateKey key, List<X509Certificate> chain) {
    try {
      load(null).setKeyEntry(label, key, null, chain.toArray(X509Certificate[]::new));
    } catch (GeneralSecurityException | ProviderException e) {
      throw failed("key " + label + " cannot be stored", e);
    }
  }

  private KeyStore load(char @Nullable [] pin) {
    try {
      KeyStore keyStore = KeyStore.getInstance("PKCS11", provider);
      keyStore.load(null, pin);
      return keyStore;
    } catch (IOException e) {
      if (isPinRefusal(e)) {
        throw new CaTokenException(
            CaTokenException.Reason.PIN_REFUSED, "the token refused the PIN; it is not retried", e);
      }
      throw failed("the token's content cannot be listed", e);
    } catch (GeneralSecurityException | ProviderException e) {
      throw failed("the token's content cannot be listed", e);
    }
  }

  /** Whether C_Login returned CKR_PIN_INCORRECT, _INVALID, _LEN_RANGE, _EXPIRED or _LOCKED. */
  private static boolean isPinRefusal(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FailedLoginException) {
        return true;
      }
      if (t instanceof LoginException
          && t.getCause() != null
          && String.valueOf(t.getCause().getMessage()).contains("CKR_PIN_")) {
        return true;
      }
    }
    return false;
  }

  private static CaTokenException failed(String message, Exception cause) {
    return new CaTokenException(CaTokenException.Reason.FAILED, message, cause);
  }
}
