package org.keywell.ca.token;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keys and their certificates in a token, by label. The provider matches a private key with its
 * certificate; the rest of a chain is found by signatures.
 */
final class TokenKeyStore {
  private final Provider provider;

  /**
   * @param provider of a token that the process is logged in to: its {@code KeyStore} of type
   *     {@code PKCS11} has the keys, and each certificate in the token as an entry
   */
  TokenKeyStore(Provider provider) {
    this.provider = provider;
  }

  Provider provider() {
    return provider;
  }

  /** Rereads the token; empty if it has no key with this label, or one without a certificate. */
  Optional<StoredKey> find(String label) {
    return find(load(), label);
  }

  /** Rereads the token. Returns the keys that follow each other under a label, the newest first. */
  List<KeyGeneration> generations(String first) {
    KeyStore keyStore = load();
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
      if (key.getFormat() != null) {
        throw new CaTokenException(
            CaTokenException.Reason.KEY_EXPOSED, "private key " + label + " can be read out");
      }
      return Optional.of(new StoredKey(key, chain(keyStore, label)));
    } catch (GeneralSecurityException | ProviderException e) {
      throw failed("key " + label + " cannot be read", e);
    }
  }

  /** By signatures, not by names: CAs' keys that follow each other share one. */
  private static List<X509Certificate> chain(KeyStore keyStore, String label)
      throws KeyStoreException {
    Set<X509Certificate> others = certificates(keyStore);
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

  private static Set<X509Certificate> certificates(KeyStore keyStore) throws KeyStoreException {
    Set<X509Certificate> all = new LinkedHashSet<>();
    for (String alias : aliases(keyStore)) {
      if (keyStore.isCertificateEntry(alias)) {
        all.add((X509Certificate) keyStore.getCertificate(alias));
      }
    }
    return all;
  }

  /**
   * Stores a key of this provider under a label, or replaces the certificates of the existing key.
   *
   * <p>The first certificate must be for that very key.
   *
   * @throws CaTokenException {@code CHAIN_REFUSED} if the token has certificates below the key's
   *     present one: their chains would end at it
   */
  void store(String label, PrivateKey key, List<X509Certificate> chain) {
    KeyStore keyStore = load();
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

  /** By name: another certificate of the same key would be above them, too, but not expected. */
  private static boolean isIssuer(KeyStore keyStore, String label) throws KeyStoreException {
    return keyStore.getCertificate(label) instanceof X509Certificate present
        && certificates(keyStore).stream()
            .filter(other -> !other.equals(present))
            .anyMatch(
                other -> other.getIssuerX500Principal().equals(present.getSubjectX500Principal()));
  }

  private KeyStore load() {
    try {
      KeyStore keyStore = KeyStore.getInstance("PKCS11", provider);
      keyStore.load(null, null);
      return keyStore;
    } catch (IOException | GeneralSecurityException | ProviderException e) {
      throw failed("the token's content cannot be listed", e);
    }
  }

  private static CaTokenException failed(String message, Exception cause) {
    return new CaTokenException(CaTokenException.Reason.FAILED, message, cause);
  }
}
