package org.keywell.rest.tls;

import java.io.IOException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfig.CertificateVerification;
import org.jspecify.annotations.Nullable;

/**
 * The TLS rules for each port, applied whenever its certificates are read: at the start, and when
 * they have changed.
 */
public final class TlsRules {

  /** If none is set. */
  private static final String DEFAULT_VERSION = "TLSv1.3";

  /** Versions that a setting may name. */
  public static final List<String> VERSIONS = List.of(DEFAULT_VERSION, "TLSv1.2");

  /** For TLS 1.2: forward secrecy and authenticated encryption (RFC 9325, section 4.2). */
  private static final List<String> CIPHERS_OF_1_2 =
      List.of(
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");

  /** Suites that a setting may name; the first three are for TLS 1.3. */
  public static final List<String> CIPHERS =
      Stream.concat(
              Stream.of(
                  "TLS_AES_256_GCM_SHA384",
                  "TLS_AES_128_GCM_SHA256",
                  "TLS_CHACHA20_POLY1305_SHA256"),
              CIPHERS_OF_1_2.stream())
          .toList();

  /**
   * Groups for the key exchange; the second is mandatory in TLS 1.3 (RFC 8446, section 9.1). With
   * Java's others, a stranger's first message could demand a computation that takes tens of times
   * as long (finite fields of 8,192 bits), and the weakest has 112 bits of strength.
   */
  public static final List<String> GROUPS = List.of("x25519", "secp256r1", "secp384r1");

  /**
   * Keeps the port's key in memory. PKIX, Java's other one, decrypts it from the key store for each
   * handshake, also where a session is resumed.
   */
  private static final String KEY_MANAGER = "SunX509";

  /**
   * How long a ticket resumes a session without the caller's key; each resumption brings another.
   * Tomcat's default is a day.
   */
  public static final Duration SESSION = Duration.ofHours(1);

  private TlsRules() {}

  /**
   * Restricts a configuration to what is allowed, and chooses what no setting does, before Tomcat
   * uses it.
   *
   * @throws IllegalStateException if it would accept certificates of public authorities
   */
  public static void apply(SSLHostConfig config) {
    // Tomcat's default is every version; TlsSettings has refused such a setting.
    if (!VERSIONS.containsAll(config.getProtocols())) {
      config.setProtocols(DEFAULT_VERSION);
    }
    if (SSLHostConfig.DEFAULT_TLS_CIPHERS_12.equals(config.getCiphers())) {
      config.setCiphers(String.join(",", CIPHERS_OF_1_2));
    }
    config.setGroups(String.join(",", GROUPS));
    config.setKeyManagerAlgorithm(KEY_MANAGER);
    config.setSessionTimeout((int) SESSION.toSeconds());
    if (config.getCertificateVerification() != CertificateVerification.NONE
        && !hasCertificate(trustStore(config))) {
      throw new IllegalStateException(
          "callers' certificates are asked for, and the trust store has none to check them by");
    }
  }

  /** Whether the store has a certificate; one with only the server's key trusts no caller. */
  public static boolean hasCertificate(@Nullable KeyStore trusted) {
    if (trusted == null) {
      return false;
    }
    try {
      for (String alias : Collections.list(trusted.aliases())) {
        if (trusted.isCertificateEntry(alias)) {
          return true;
        }
      }
      return false;
    } catch (KeyStoreException e) {
      throw new IllegalStateException("the trust store is not loaded", e);
    }
  }

  private static @Nullable KeyStore trustStore(SSLHostConfig config) {
    try {
      return config.getTruststore();
    } catch (IOException e) {
      throw new IllegalStateException("the trust store cannot be read: " + e.getMessage(), e);
    }
  }
}
