package org.keywell.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Creates TLS contexts from PEM files, for services that require client certificates. */
public final class PemTls {
  private static final char[] NO_PASSWORD = {};

  private PemTls() {}

  /**
   * Creates a context that trusts the given issuers and presents the given certificate.
   *
   * @param trusted certificates of the authorities that may have issued the service's certificate;
   *     null for Java's defaults
   * @param certificates the caller's certificate, then its issuers; null for none
   * @param key the caller's private key, unencrypted PKCS #8; null exactly if {@code certificates}
   *     is
   * @throws IOException if a file cannot be read or has the wrong content, or if the key does not
   *     match the first certificate; the message names the file
   * @throws IllegalArgumentException if only one of {@code certificates} and {@code key} is given
   */
  public static SSLContext context(
      @Nullable Path trusted, @Nullable Path certificates, @Nullable Path key) throws IOException {
    if ((certificates == null) != (key == null)) {
      throw new IllegalArgumentException("certificates and key must be given together");
    }
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          certificates == null || key == null ? null : keyManagers(certificates, key),
          trusted == null ? null : trustManagers(trusted),
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("the TLS files are not usable: " + e.getMessage(), e);
    }
  }

  private static KeyManager[] keyManagers(Path certificates, Path key)
      throws IOException, GeneralSecurityException {
    KeyStore store = emptyStore();
    Certificate[] chain = readCertificates(certificates).toArray(Certificate[]::new);
    PrivateKey privateKey = readKey(key);
    if (!KeyPairs.belongTogether(chain[0].getPublicKey(), privateKey)) {
      throw new IOException(
          "%s does not belong to the certificate in %s: give the private key that it was made for"
              .formatted(key, certificates));
    }
    store.setKeyEntry("client", privateKey, NO_PASSWORD, chain);
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static TrustManager[] trustManagers(Path trusted)
      throws IOException, GeneralSecurityException {
    KeyStore store = emptyStore();
    int index = 0;
    for (Certificate certificate : readCertificates(trusted)) {
      store.setCertificateEntry("trusted-" + index++, certificate);
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    return store;
  }

  private static Collection<? extends Certificate> readCertificates(Path file)
      throws IOException, GeneralSecurityException {
    Collection<? extends Certificate> certificates;
    try (InputStream in = Files.newInputStream(file)) {
      certificates = CertificateFactory.getInstance("X.509").generateCertificates(in);
    } catch (CertificateException e) {
      throw new IOException(file + " holds a malformed certificate: " + e.getMessage(), e);
    }
    if (certificates.isEmpty()) {
      throw new IOException(file + " holds no certificate in PEM");
    }
    return certificates;
  }

  private static PrivateKey readKey(Path file) throws IOException, GeneralSecurityException {
    String pem = Files.readString(file);
    int begin = pem.indexOf("-----BEGIN PRIVATE KEY-----");
    int end = pem.indexOf("-----END PRIVATE KEY-----");
    if (begin < 0 || end < begin) {
      throw new IOException(file + " holds no unencrypted PKCS #8 private key in PEM");
    }
    String base64 = pem.substring(begin + "-----BEGIN PRIVATE KEY-----".length(), end);
    PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(decode(file, base64));
    for (String algorithm : new String[] {"EC", "RSA", "EdDSA"}) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (InvalidKeySpecException e) {
        // The encoding names its algorithm, but KeyFactory cannot report it: try the next.
      }
    }
    throw new IOException(file + " holds a malformed key, or one of an unknown kind");
  }

  private static byte[] decode(Path file, String base64) throws IOException {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " holds a malformed key: " + e.getMessage(), e);
    }
  }
}
