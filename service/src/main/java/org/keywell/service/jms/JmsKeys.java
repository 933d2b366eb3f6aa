package org.keywell.service.jms;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.keywell.jms.MessageKeys;
import org.keywell.settings.JmsProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/** This service's keys for messages, from SSL bundles as they are now. Thread-safe. */
final class JmsKeys implements Supplier<MessageKeys> {

  private final @Nullable JmsBundle<MessageKeys.Own> signing;
  private final @Nullable JmsBundle<MessageKeys.Own> decryption;

  /**
   * @param signs whether any answer is signed
   * @param decrypts whether any request is encrypted
   * @throws org.keywell.settings.StartRefusedException if a bundle is missing or has no key
   */
  JmsKeys(JmsProperties jms, boolean signs, boolean decrypts, SslBundles bundles) {
    signing =
        key(
            "keywell.jms.signing-bundle",
            signs ? jms.signingBundle() : null,
            bundles,
            MessageKeys.Own::requireSigns);
    decryption =
        key(
            "keywell.jms.decryption-bundle",
            decrypts ? jms.decryptionBundle() : null,
            bundles,
            MessageKeys.Own::requireDecrypts);
  }

  private static @Nullable JmsBundle<MessageKeys.Own> key(
      String setting,
      @Nullable String name,
      SslBundles bundles,
      UnaryOperator<MessageKeys.Own> checked) {
    return name == null
        ? null
        : new JmsBundle<>(setting, name, bundles, changed -> checked.apply(only(changed)));
  }

  @Override
  public MessageKeys get() {
    return new MessageKeys(
        signing == null ? null : signing.get(), decryption == null ? null : decryption.get());
  }

  /** Returns the bundle's only key, or the one of its alias. */
  private static MessageKeys.Own only(SslBundle bundle) {
    @Nullable KeyStore store = bundle.getStores().getKeyStore();
    if (store == null) {
      throw new IllegalStateException("it has no key");
    }
    String password =
        bundle.getKey().getPassword() != null
            ? bundle.getKey().getPassword()
            : bundle.getStores().getKeyStorePassword();
    try {
      List<MessageKeys.Own> found = new ArrayList<>();
      for (String alias : Collections.list(store.aliases())) {
        boolean isNamed =
            bundle.getKey().getAlias() == null || alias.equals(bundle.getKey().getAlias());
        if (isNamed && store.isKeyEntry(alias)) {
          Key key = store.getKey(alias, password == null ? null : password.toCharArray());
          found.add(new MessageKeys.Own((PrivateKey) key, chain(store.getCertificateChain(alias))));
        }
      }
      if (found.size() != 1) {
        throw new IllegalStateException("it has %d keys, not one".formatted(found.size()));
      }
      return found.getFirst();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("its key cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<X509Certificate> chain(Certificate[] certificates) {
    List<X509Certificate> chain = new ArrayList<>();
    for (Certificate certificate : certificates) {
      chain.add((X509Certificate) certificate);
    }
    return chain;
  }
}
