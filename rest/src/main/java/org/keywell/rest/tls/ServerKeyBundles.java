package org.keywell.rest.tls;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.ServerKeyProperties;
import org.keywell.signing.ca.BoundedSigner;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * Bundles with certificates from files, some of them with the private key of a token. A changed
 * file of these, too, counts from the next connection. Thread-safe.
 */
final class ServerKeyBundles implements SslBundles {

  private final SslBundles files;
  private final ServerKeyProperties settings;
  private final BoundedSigner key;

  /**
   * @param files all bundles, those of the settings without a private key
   */
  ServerKeyBundles(SslBundles files, ServerKeyProperties settings, BoundedSigner key) {
    this.files = files;
    this.settings = settings;
    this.key = key;
    TokenSignatures.register();
  }

  /**
   * Returns a bundle.
   *
   * @throws IllegalStateException if it has the token's key, and its certificates do not suit that
   */
  @Override
  public SslBundle getBundle(String name) {
    SslBundle bundle = files.getBundle(name);
    return settings.bundles().contains(name) ? withKey(name, bundle) : bundle;
  }

  @Override
  public void addBundleUpdateHandler(String name, Consumer<SslBundle> handler) {
    files.addBundleUpdateHandler(
        name,
        settings.bundles().contains(name)
            ? changed -> handler.accept(withKey(name, changed))
            : handler);
  }

  @Override
  public void addBundleRegisterHandler(BiConsumer<String, SslBundle> handler) {
    files.addBundleRegisterHandler((name, _) -> handler.accept(name, getBundle(name)));
  }

  @Override
  public List<String> getBundleNames() {
    return files.getBundleNames();
  }

  private SslBundle withKey(String name, SslBundle bundle) {
    SslStoreBundle stores = bundle.getStores();
    List<X509Certificate> chain = chain(name, stores.getKeyStore());
    return SslBundle.of(
        SslStoreBundle.of(
            TokenKeyStore.of(new TokenPrivateKey(key), chain), null, stores.getTrustStore()),
        SslBundleKey.NONE,
        bundle.getOptions(),
        bundle.getProtocol());
  }

  /** The certificate of the token's key, and those of its issuers as far as they are there. */
  private List<X509Certificate> chain(String name, @Nullable KeyStore store) {
    List<X509Certificate> given = store == null ? List.of() : certificates(name, store);
    List<X509Certificate> chain = new ArrayList<>();
    Optional<X509Certificate> next =
        given.stream()
            .filter(each -> each.getPublicKey().equals(key.publicKey()))
            .max(Comparator.comparing(each -> each.getNotAfter().toInstant()));
    if (next.isEmpty()) {
      throw unsuitable(name, "has no certificate of the key '%s'".formatted(settings.label()));
    }
    while (next.isPresent() && !chain.contains(next.get())) {
      X509Certificate last = next.get();
      chain.add(last);
      next = given.stream().filter(each -> hasIssued(each, last)).findFirst();
    }
    return chain;
  }

  private static boolean hasIssued(X509Certificate issuer, X509Certificate certificate) {
    if (!issuer.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
      return false;
    }
    try {
      certificate.verify(issuer.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private List<X509Certificate> certificates(String name, KeyStore store) {
    List<X509Certificate> all = new ArrayList<>();
    try {
      for (String alias : Collections.list(store.aliases())) {
        if (store.isKeyEntry(alias)) {
          throw unsuitable(name, "has a private key of its own");
        }
        if (store.getCertificate(alias) instanceof X509Certificate certificate) {
          all.add(certificate);
        }
      }
      return all;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the key store of bundle " + name + " is not loaded", e);
    }
  }

  private IllegalStateException unsuitable(String name, String why) {
    return new IllegalStateException(
        "the bundle '%s' %s, and keywell.server-key.bundles names it".formatted(name, why));
  }
}
