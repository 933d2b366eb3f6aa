package org.keywell.listener;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;

/**
 * Accepts clients with certificates of a certain subject, from an authority in the trust store. Any
 * other handshake ends with the alert {@code handshake_failure}, as public clients of the API
 * expect; Java's own choice is {@code certificate_unknown}. Thread-safe.
 */
public final class TrustedClients extends X509ExtendedTrustManager {

  private final X509ExtendedTrustManager authorities;
  private final Predicate<X500Principal> subject;

  /**
   * @param authorities checks the chain
   * @param subject whether that is the client's; Java's own comparison of names is too lenient
   */
  public TrustedClients(X509ExtendedTrustManager authorities, Predicate<X500Principal> subject) {
    this.authorities = authorities;
    this.subject = subject;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
    try {
      authorities.checkClientTrusted(chain, authType, socket);
      requireSubject(chain[0]);
    } catch (CertificateException e) {
      SSLHandshakeException failure = new SSLHandshakeException(e.getMessage());
      failure.initCause(e);
      throw TrustedClients.<RuntimeException>asUnchecked(failure);
    }
  }

  private void requireSubject(X509Certificate certificate) throws CertificateException {
    if (!subject.test(certificate.getSubjectX500Principal())) {
      throw new CertificateException("another subject is expected of clients");
    }
  }

  /**
   * Of what the interface lets this throw, Java's TLS chooses the alert itself. An I/O error that
   * passes through its handshake ends it with handshake_failure.
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E asUnchecked(Throwable failure) throws E {
    throw (E) failure;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    authorities.checkClientTrusted(chain, authType, engine);
    requireSubject(chain[0]);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    authorities.checkClientTrusted(chain, authType);
    requireSubject(chain[0]);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
      throws CertificateException {
    throw noClient();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
      throws CertificateException {
    throw noClient();
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String authType)
      throws CertificateException {
    throw noClient();
  }

  private static CertificateException noClient() {
    return new CertificateException("this end is never the client");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities.getAcceptedIssuers();
  }
}
