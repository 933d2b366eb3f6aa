package org.keywell.rest.tls;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.ocsp.OcspQuestion;
import org.keywell.rest.tls.Finding.Status;

/**
 * Asks a responder (RFC 6960), within limits of size and time up to the last byte, and has the JDK
 * judge the answer, as the JDK's own client limits neither. Follows no redirects. Blocks.
 * Thread-safe.
 */
final class OcspClient implements AutoCloseable {

  /** An answer has a signature and a certificate or two. */
  static final int MAX_ANSWER = 64 << 10;

  private static final String ANSWER_TYPE = "application/ocsp-response";

  private final @Nullable URI responder;
  private final Duration timeLimit;
  private final HttpClient http;

  /**
   * @param responder null: the one that each certificate names
   * @param timeLimit of a whole query
   */
  OcspClient(@Nullable URI responder, Duration timeLimit) {
    this.responder = responder;
    this.timeLimit = timeLimit;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(timeLimit)
            .build();
  }

  /** Returns the responder's answer for a certificate. */
  Finding find(X509Certificate certificate, X509Certificate issuer, Instant now) {
    try {
      URI address = responder;
      if (address == null) {
        address = OcspQuestion.responder(certificate).orElse(null);
      }
      if (address == null) {
        return unknown("the certificate names no responder");
      }
      byte[] answer = ask(address, OcspQuestion.about(certificate, issuer));
      validate(certificate, issuer, now, answer);
      return Finding.good(Instant.MAX);
    } catch (CertPathValidatorException e) {
      return e.getReason() == BasicReason.REVOKED
          ? Finding.of(Status.REVOKED, "by OCSP")
          : unknown(String.valueOf(e.getMessage()));
    } catch (GeneralSecurityException | IOException e) {
      return unknown(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return unknown("interrupted");
    }
  }

  private static Finding unknown(String reason) {
    return Finding.of(Status.UNKNOWN, "OCSP: " + reason);
  }

  private byte[] ask(URI address, byte[] question) throws IOException, InterruptedException {
    // The client's own timeout ends with the head of the answer.
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(
            request(address, question),
            BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER));
    try {
      HttpResponse<byte[]> whole = answer.get(timeLimit.toMillis(), TimeUnit.MILLISECONDS);
      String type = whole.headers().firstValue("Content-Type").orElse(ANSWER_TYPE);
      if (whole.statusCode() != 200
          || !type.regionMatches(true, 0, ANSWER_TYPE, 0, ANSWER_TYPE.length())) {
        throw new IOException("%s answers %d, %s".formatted(address, whole.statusCode(), type));
      }
      return whole.body();
    } catch (ExecutionException e) {
      throw new IOException("%s: %s".formatted(address, e.getCause()), e);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s has not answered within %d ms".formatted(address, timeLimit.toMillis()), e);
    } finally {
      answer.cancel(true);
    }
  }

  private static HttpRequest request(URI address, byte[] question) throws IOException {
    try {
      return HttpRequest.newBuilder(address)
          .header("Content-Type", "application/ocsp-request")
          .header("Accept", ANSWER_TYPE)
          .POST(BodyPublishers.ofByteArray(question))
          .build();
    } catch (IllegalArgumentException e) {
      throw new IOException("the responder's address is not http or https: " + address, e);
    }
  }

  /** The path was built before; this checks one link of it. */
  private static void validate(
      X509Certificate certificate, X509Certificate issuer, Instant now, byte[] answer)
      throws GeneralSecurityException {
    CertPathValidator validator = CertPathValidator.getInstance("PKIX");
    PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
    checker.setOptions(EnumSet.of(Option.NO_FALLBACK));
    checker.setOcspResponses(Map.of(certificate, answer));
    PKIXParameters link = new PKIXParameters(Set.of(new TrustAnchor(issuer, null)));
    link.addCertPathChecker(checker);
    link.setRevocationEnabled(false);
    link.setDate(Date.from(now));
    validator.validate(
        CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)), link);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
