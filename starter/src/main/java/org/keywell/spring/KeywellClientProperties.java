package org.keywell.spring;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings {@code keywell.client.*}. A misspelt key stops the start: otherwise an application
 * could call without a certificate, or wait longer than intended.
 *
 * @param uri Address of the Keywell service, such as https://keywell.example:8443. Without it there
 *     is no client.
 * @param deadline Maximum time of a call, including retries.
 * @param tokenFile File with the token that a Keywell service on this machine requires.
 * @param ssl How the service and the application authenticate each other.
 * @param timestamp Authority that time-stamps the signatures of documents.
 */
@ConfigurationProperties(prefix = "keywell.client", ignoreUnknownFields = false)
public record KeywellClientProperties(
    @Nullable URI uri,
    @DefaultValue("60s") Duration deadline,
    @Nullable Path tokenFile,
    @DefaultValue Ssl ssl,
    @DefaultValue Timestamp timestamp) {

  /** Checks the address as written: a network name may resolve to anything. */
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]", Pattern.CASE_INSENSITIVE);

  /**
   * The client's TLS settings.
   *
   * @param bundle Name of the SSL bundle with the CAs to trust and the application's own
   *     certificate.
   */
  public record Ssl(@Nullable String bundle) {}

  /**
   * A time stamp authority.
   *
   * @param uri Address of an RFC 3161 authority. With it documents are signed at level T, otherwise
   *     at level B.
   * @param timeout Maximum time to wait for its answer.
   */
  public record Timestamp(@Nullable URI uri, @DefaultValue("10s") Duration timeout) {

    /** Refuses settings that cannot work; the message names the setting. */
    public Timestamp {
      if (uri != null) {
        requireHttp("keywell.client.timestamp.uri", uri);
      }
      requireSome("keywell.client.timestamp.timeout", timeout);
    }
  }

  /** Refuses settings that cannot work; the message names the setting. */
  public KeywellClientProperties {
    if (uri != null) {
      requireHttp("keywell.client.uri", uri);
      if (ssl.bundle() != null && !"https".equalsIgnoreCase(uri.getScheme())) {
        throw new IllegalArgumentException(
            "keywell.client.ssl.bundle is of no use: keywell.client.uri is '%s'".formatted(uri));
      }
      if (tokenFile != null && !LOOPBACK.matcher(uri.getHost()).matches()) {
        throw new IllegalArgumentException(
            "keywell.client.token-file is for a service on this machine, which keywell.client.uri '%s' is not"
                .formatted(uri));
      }
    }
    requireSome("keywell.client.deadline", deadline);
  }

  private static void requireHttp(String setting, URI uri) {
    boolean http = "http".equalsIgnoreCase(uri.getScheme());
    if (uri.getHost() == null || !(http || "https".equalsIgnoreCase(uri.getScheme()))) {
      throw new IllegalArgumentException(
          "%s is '%s', expected http://HOST or https://HOST".formatted(setting, uri));
    }
  }

  private static void requireSome(String setting, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(
          "%s is %s, expected more than 0".formatted(setting, duration));
    }
  }
}
