package org.keywell.ca.token;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.login.LoginException;
import org.jspecify.annotations.Nullable;

/**
 * Keys and their certificates in a token, by label. SunPKCS11 matches a private key with its
 * certificate by CKA_ID, which it sets to the label. The rest of a chain is found by signatures.
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
    return find(load(null), label);
  }

  /** Rereads the token. Returns the keys that follow each other under a label, the newest first. */
  List<KeyGeneration> generations(String first) {
    KeyStore keyStore = load(null);
    return aliases(keyStore).stream()
        .filter(label -> CaKeyLabels.generation(first, label) > 0)
        .flatMap(label ->
            find(keyStore, label).stream()
                .map(key -> new KeyGeneration(label, CaKeyLabels.generation(first, label), key)))
        .sorted(Comparator.comparingInt(KeyGeneration::number).reversed())
        .toList();
  }

  private static List<String> aliases(KeyStore keyStore) {
    try {
      return Collections.list(keyStore.aliases());
    } catch (KeyStoreException e) {
      throw failed("the token's content cannot be listed", e);
    }
  }

  private static Optional<StoredKey> find(KeyStore keyStore, String label) {
    try {
      if (!(keyStore.getKey(label, null) instanceof PrivateKey key)) {
        return Optional.empty();
      }
      if (key.getEncoded() != null) {
        throw new CaTokenException(
            CaTokenException.Reason.KEY_EXPOSED, "private key " + label + " can be read out");
      }
      return Optional.of(new StoredKey(key, chain(keyStore, label)));
    } catch (GeneralSecurityException | ProviderException e) {
      throw failed("key " + label + " cannot be read", e);
    }
  }

  /**
   * SunPKCS11 takes the first certificate that has the issuer's name, and CAs' keys that follow
   * each other share one.
   */
  private static List<X509Certificate> chain(KeyStore keyStore, String label)
      throws KeyStoreException {
    Set<X509Certificate> others = new LinkedHashSet<>();
    for (String alias : aliases(keyStore)) {
      Certificate[] known = keyStore.getCertificateChain(alias);
      Stream.ofNullable(known)
          .flatMap(Arrays::stream)
          .forEach(c -> others.add((X509Certificate) c));
    }
    List<X509Certificate> chain = new ArrayList<>();
    Optional<X509Certificate> next =
        Optional.of((X509Certificate) keyStore.getCertificateChain(label)[0]);
    while (next.isPresent()) {
      X509Certificate certificate = next.get();
      chain.add(certificate);
      others.remove(certificate);
      next = others.stream().filter(other -> IssuingChain.isFrom(other, certificate)).findFirst();
    }
    return List.copyOf(chain);
  }

  /**
   * Stores a key of this provider under a label, or replaces the certificates of the existing key.
   *
   * <p>The first certificate must be for that very key: SunPKCS11 treats a certificate for another
   * key as a new entry and destroys the private key that has the label.
   *
   * @throws CaTokenException {@code CHAIN_REFUSED} if the token has certificates below the key's
   *     present one: SunPKCS11 keeps that beside the new one, and finds the key no more
   */
  void store(String label, PrivateKey key, List<X509Certificate> chain) {
    KeyStore keyStore = load(null);
    try {
      if (isIssuer(keyStore, label)) {
        throw new CaTokenException(
            CaTokenException.Reason.CHAIN_REFUSED,
            "CA key "
                + label
                + " keeps its certificate, since certificates in the token are below it: make a new"
                + " key by ca-request --new-key");
      }
      keyStore.setKeyEntry(label, key, null, chain.toArray(X509Certificate[]::new));
    } catch (GeneralSecurityException | ProviderException e) {
      throw failed("key " + label + " cannot be stored", e);
    }
  }

  /** By name, as SunPKCS11 does. */
  private static boolean isIssuer(KeyStore keyStore, String label) throws KeyStoreException {
    for (String alias : aliases(keyStore)) {
      if (!alias.equals(label)
          && keyStore.getCertificate(label) instanceof X509Certificate present
          && keyStore.getCertificate(alias) instanceof X509Certificate other
          && other.getIssuerX500Principal().equals(present.getSubjectX500Principal())) {
        return true;
      }
    }
    return false;
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
