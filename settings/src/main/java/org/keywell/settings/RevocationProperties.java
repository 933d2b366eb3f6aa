package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.security.revocation.*}: whether a caller's certificate is still valid.
 *
 * @param crlFile the authorities' revocation lists, PEM or DER; null: no such file
 * @param ocsp {@code certificate}: the responder that the certificate names; or a responder's
 *     address; null or blank: none is asked
 * @param maxAge how long a result is used, 1 s to a day
 * @param timeLimit how long a request waits for a responder, 100 ms to 10 s
 * @param whenUnknown what a request gets while neither has an answer
 */
public record RevocationProperties(
    @Nullable Path crlFile,
    @Nullable String ocsp,
    @DefaultValue("1m") Duration maxAge,
    @DefaultValue("2s") Duration timeLimit,
    @DefaultValue("refuse") WhenUnknown whenUnknown) {

  /** The responder named in the certificate (RFC 5280, section 4.2.2.1). */
  private static final String OF_THE_CERTIFICATE = "certificate";

  /** {@code when-unknown}. */
  public enum WhenUnknown {
    /** 503, problem {@code revocation-unknown}. */
    REFUSE,
    /** As if the certificate were not revoked. */
    ACCEPT
  }

  public RevocationProperties {
    crlFile = crlFile == null || crlFile.toString().isBlank() ? null : crlFile.toAbsolutePath();
    ocsp = ocsp == null || ocsp.isBlank() ? null : ocsp.strip();
    if (ocsp != null && !ocsp.equals(OF_THE_CERTIFICATE) && !isAddress(ocsp)) {
      throw new IllegalArgumentException(
          "keywell.security.revocation.ocsp is '%s', expected '%s' or an address http(s)://HOST…"
              .formatted(ocsp, OF_THE_CERTIFICATE));
    }
    require("keywell.security.revocation.max-age", maxAge, "1s", "1d");
    require("keywell.security.revocation.time-limit", timeLimit, "100ms", "10s");
  }

  /** Whether any source of revocations is configured. */
  public boolean isOn() {
    return crlFile != null || ocsp != null;
  }

  /** Returns the only responder that is asked; null: the one that each certificate names. */
  public @Nullable URI responder() {
    return ocsp == null || ocsp.equals(OF_THE_CERTIFICATE) ? null : URI.create(ocsp);
  }

  private static boolean isAddress(String text) {
    try {
      URI address = new URI(text);
      return address.getHost() != null
          && ("http".equals(address.getScheme()) || "https".equals(address.getScheme()));
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
