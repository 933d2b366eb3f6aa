package org.keywell.dss;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;

/**
 * Whom to trust when a signature gets what validators need later, and how much may be fetched.
 *
 * <p>Lists of revoked certificates (CRLs) and OCSP answers are fetched from the addresses in the
 * certificates. Only a certificate whose chain leads to an anchor is followed, so the CAs below the
 * anchors decide which hosts get requests: trust only CAs that may. Addresses are http or https,
 * and redirects are not followed. Private networks are not excluded, since CAs publish there too.
 *
 * @param anchors roots, or issuing CAs, of signers and time stamp authorities
 * @param timeout for each request, from its start to the answer's last byte
 * @param maxBytes largest answer
 * @param maxRequests for one document
 */
public record ValidationSources(
    List<X509Certificate> anchors, Duration timeout, int maxBytes, int maxRequests) {

  /**
   * @throws IllegalArgumentException without anchors, or if a limit is not positive
   */
  public ValidationSources {
    anchors = List.copyOf(anchors);
    if (anchors.isEmpty()) {
      throw new IllegalArgumentException("levels LT and LTA need a trust anchor");
    }
    if (timeout.toMillis() < 1 || maxBytes < 1 || maxRequests < 1) {
      throw new IllegalArgumentException(
          "limits of requests are positive: %s, %s bytes, %s requests"
              .formatted(timeout, maxBytes, maxRequests));
    }
  }

  /** Returns sources with usual limits: ten seconds and 10 MiB for each of 20 requests. */
  public static ValidationSources trusting(List<X509Certificate> anchors) {
    return new ValidationSources(anchors, Duration.ofSeconds(10), 10 << 20, 20);
  }
}
