package org.keywell.rest.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.KeyStoreSpi;
import java.security.PrivateKey;
import java.security.Security;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key store with one private key that cannot be read out, and its certificates. It cannot be
 * changed. Java's own accept only keys in PKCS #8.
 */
final class TokenKeyStore extends KeyStore {

  private TokenKeyStore(KeyStoreSpi content) {
    super(content, Security.getProvider("SUN"), "token");
  }

  /**
   * Returns a store with this key.
   *
   * @param chain of the key, its own certificate first
   */
  static KeyStore of(PrivateKey key, List<X509Certificate> chain) {
    KeyStore store = new TokenKeyStore(new OneKey(key, List.copyOf(chain)));
    try {
      store.load(null, null);
      return store;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class OneKey extends KeyStoreSpi {

    private static final String ALIAS = "server";

    private final PrivateKey key;
    private final List<X509Certificate> chain;
    private final Date created = Date.from(Instant.now());

    OneKey(PrivateKey key, List<X509Certificate> chain) {
      this.key = key;
      this.chain = chain;
    }

    @Override
    public @Nullable Key engineGetKey(String alias, char[] password) {
      return engineContainsAlias(alias) ? key : null;
    }

    @Override
    public Certificate @Nullable [] engineGetCertificateChain(String alias) {
      return engineContainsAlias(alias) ? chain.toArray(X509Certificate[]::new) : null;
    }

    @Override
    public @Nullable Certificate engineGetCertificate(String alias) {
      return engineContainsAlias(alias) ? chain.getFirst() : null;
    }

    @Override
    public @Nullable Date engineGetCreationDate(String alias) {
      return engineContainsAlias(alias) ? created : null;
    }

    @Override
    public @Nullable String engineGetCertificateAlias(Certificate certificate) {
      return chain.getFirst().equals(certificate) ? ALIAS : null;
    }

    @Override
    public Enumeration<String> engineAliases() {
      return Collections.enumeration(List.of(ALIAS));
    }

    @Override
    public boolean engineContainsAlias(String alias) {
      return ALIAS.equals(alias);
    }

    @Override
    public int engineSize() {
      return 1;
    }

    @Override
    public boolean engineIsKeyEntry(String alias) {
      return engineContainsAlias(alias);
    }

    @Override
    public boolean engineIsCertificateEntry(String alias) {
      return false;
    }

    @Override
    public void engineLoad(@Nullable InputStream from, char @Nullable [] password) {}

    @Override
    public void engineStore(OutputStream to, char[] password) throws IOException {
      throw new IOException("the key cannot be read out");
    }

    @Override
    public void engineSetKeyEntry(String alias, Key key, char[] password, Certificate[] chain)
        throws KeyStoreException {
      throw unchangeable();
    }

    @Override
    public void engineSetKeyEntry(String alias, byte[] key, Certificate[] chain)
        throws KeyStoreException {
      throw unchangeable();
    }

    @Override
    public void engineSetCertificateEntry(String alias, Certificate certificate)
        throws KeyStoreException {
      throw unchangeable();
    }

    @Override
    public void engineDeleteEntry(String alias) throws KeyStoreException {
      throw unchangeable();
    }

    private static KeyStoreException unchangeable() {
      return new KeyStoreException("it cannot be changed");
    }
  }
}
