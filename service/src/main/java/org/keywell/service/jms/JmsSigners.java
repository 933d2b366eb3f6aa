package org.keywell.service.jms;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.keywell.jms.Signer;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.tls.CallerCertificates;
import org.keywell.rest.tls.TlsRules;
import org.keywell.signing.caller.CallerRegister;
import org.springframework.boot.ssl.SslBundle;

/**
 * Who signed a message: the same callers as over HTTP, by the same checks of their certificates.
 * Thread-safe.
 */
final class JmsSigners implements Function<List<X509Certificate>, Signer> {

  private final Supplier<X509TrustManager> handshake;
  private final CallerCertificates certificates;
  private final CallerRegister register;

  /**
   * @param handshake checks what a TLS handshake would: the path, and that its end is for clients
   * @param certificates checks what is checked for each request
   */
  JmsSigners(
      Supplier<X509TrustManager> handshake,
      CallerCertificates certificates,
      CallerRegister register) {
    this.handshake = handshake;
    this.certificates = certificates;
    this.register = register;
  }

  /**
   * Returns what a handshake checks clients' certificates by.
   *
   * @throws IllegalStateException if it would accept certificates of public authorities
   */
  static X509TrustManager handshake(SslBundle bundle) {
    if (!TlsRules.hasCertificate(bundle.getStores().getTrustStore())) {
      throw new IllegalStateException("its trust store has no certificate");
    }
    return Stream.of(bundle.getManagers().getTrustManagers())
        .filter(X509TrustManager.class::isInstance)
        .map(X509TrustManager.class::cast)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("its trust store is of no use for X.509"));
  }

  @Override
  public Signer apply(List<X509Certificate> signer) {
    X509Certificate[] chain = signer.toArray(X509Certificate[]::new);
    @Nullable Problem problem = certificates.refusal(chain);
    if (problem != null) {
      return problem.type() == ProblemType.REVOCATION_UNKNOWN
          ? new Signer.Unsure(problem.detail())
          : new Signer.Refused(problem.type().label() + ": " + problem.detail());
    }
    try {
      handshake.get().checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
    } catch (CertificateException e) {
      return new Signer.Refused("the certificate is not one of a client: " + e.getMessage());
    }
    return register
        .of(chain[0])
        .<Signer>map(Signer.Known::new)
        .orElseGet(() ->
            new Signer.Stranger("its signer is no certificate in keywell.security.callers-file"));
  }
}
