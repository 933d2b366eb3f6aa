package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.xks.*}.
 *
 * @param enabled whether the service is an external key store
 * @param port 0: any free one
 * @param bundle the name of a Spring SSL bundle with the port's certificate; required if it listens
 * @param clientSubject of the certificate that clients must present, issued by an authority of the
 *     bundle's trust store; null or blank: they present none
 * @param credentialsFile the pairs that sign requests; required if it listens
 * @param pathPrefix of all paths: empty, or such as /store
 * @param maxConnections connections that are open at the same time, 1 to 10,000
 * @param idleTimeout how long a connection may stay without a request, 1 s to a day
 * @param messageTimeout how long a handshake, a request or an answer may be in transit, 100 ms to
 *     10 min
 * @param deadline from a request's first byte to its answer, 20 ms to 10 s
 * @param maxConcurrent requests that are worked on at the same time, 1 to 1,000
 * @param callsPerHsm calls that may be in an HSM at the same time, 1 to 64
 * @param databaseConnections connections to the database, apart from those of {@code
 *     keywell.database}, 1 to 50
 */
public record XksProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("127.0.0.1") InetAddress address,
    @DefaultValue("8443") int port,
    @Nullable String bundle,
    @Nullable String clientSubject,
    @Nullable Path credentialsFile,
    @DefaultValue("") String pathPrefix,
    @DefaultValue("200") int maxConnections,
    @DefaultValue("5m") Duration idleTimeout,
    @DefaultValue("10s") Duration messageTimeout,
    @DefaultValue("200ms") Duration deadline,
    @DefaultValue("16") int maxConcurrent,
    @DefaultValue("4") int callsPerHsm,
    @DefaultValue("4") int databaseConnections) {

  /** The specification allows 128 characters with the part that follows. */
  private static final Pattern PREFIX = Pattern.compile("(/[A-Za-z0-9_-]+)*");

  private static final int MAX_PREFIX = 128 - "/kms/xks/v1".length();

  public XksProperties {
    require("keywell.xks.port", port, 0, 65_535);
    require("keywell.xks.max-connections", maxConnections, 1, 10_000);
    require("keywell.xks.idle-timeout", idleTimeout, "1s", "1d");
    require("keywell.xks.message-timeout", messageTimeout, "100ms", "10m");
    require("keywell.xks.deadline", deadline, "20ms", "10s");
    require("keywell.xks.max-concurrent", maxConcurrent, 1, 1000);
    require("keywell.xks.calls-per-hsm", callsPerHsm, 1, 64);
    require("keywell.xks.database-connections", databaseConnections, 1, 50);
    require(
        PREFIX.matcher(pathPrefix).matches() && pathPrefix.length() <= MAX_PREFIX,
        "keywell.xks.path-prefix",
        "'" + pathPrefix + "'",
        "a path such as /store of A-Z a-z 0-9 _ - and slashes, or nothing");
    bundle = bundle == null || bundle.isBlank() ? null : bundle;
    clientSubject = clientSubject == null || clientSubject.isBlank() ? null : clientSubject;
    if (clientSubject != null) {
      requireSubject(clientSubject);
    }
    if (enabled && bundle == null) {
      throw new IllegalArgumentException(
          "keywell.xks.enabled is true, which needs keywell.xks.bundle: the name of an SSL bundle");
    }
    if (enabled && credentialsFile == null) {
      throw new IllegalArgumentException(
          "keywell.xks.enabled is true, which needs keywell.xks.credentials-file");
    }
  }

  private static void requireSubject(String text) {
    try {
      var _ = new X500Principal(text);
    } catch (IllegalArgumentException e) {
      // Without the cause: the message is complete, and operators see only complete ones.
      throw new IllegalArgumentException(
          "keywell.xks.client-subject is '%s', expected a name such as CN=kms.example"
              .formatted(text));
    }
  }
}
