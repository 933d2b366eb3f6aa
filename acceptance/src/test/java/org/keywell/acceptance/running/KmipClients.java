package org.keywell.acceptance.running;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import org.keywell.testkit.Sql;
import org.keywell.testkit.TlsAuthority;

/** What a service needs for KMIP clients that create keys, and what must hold of those keys. */
public final class KmipClients {

  private static final String NAME = "manager";

  private final Map<String, String> settings;
  private final SSLContext context;

  private KmipClients(Map<String, String> settings, SSLContext context) {
    this.settings = settings;
    this.context = context;
  }

  /** Makes certificates and a callers file in a directory. */
  public static KmipClients create(Path directory) throws IOException, InterruptedException {
    TlsAuthority authority = TlsAuthority.create(directory, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify(NAME, "extendedKeyUsage=clientAuth");
    Path revoked = authority.list("ca.crl", Instant.now().plus(Duration.ofDays(1)));
    Files.writeString(
        directory.resolve("callers.yaml"),
        """
        callers:
          - {name: %1$s, certificate: {subject: CN=%1$s}, roles: [manage, export]}
        """
            .formatted(NAME));
    Map<String, String> settings = new HashMap<>(authority.serverSettings());
    settings.keySet().removeIf(name -> name.startsWith("server.ssl."));
    settings.put("keywell.kmip.enabled", "true");
    settings.put("keywell.kmip.port", "0");
    settings.put("keywell.kmip.bundle", "service");
    settings.put("keywell.security.revocation.crl-file", revoked.toString());
    return new KmipClients(settings, authority.context(NAME));
  }

  /** Settings of a service on a free port; HTTP stays as it is. */
  public Map<String, String> settings() {
    return settings;
  }

  public KmipConnection connect(int port) throws IOException {
    return new KmipConnection(context, port);
  }

  /** Each private key that a client was told of is there, and no key is there twice. */
  public static void assertOneOwnerEach(Sql sql, Set<String> answered) throws SQLException {
    assertThat(sql.texts("SELECT id::text FROM managed_object WHERE object_type = 4"))
        .containsAll(answered);
    assertThat(
            sql.count(
                """
                SELECT count(*) FROM (
                  SELECT FROM managed_object GROUP BY material HAVING count(*) > 1) AS twice
                """))
        .as("keys with two owners")
        .isZero();
  }
}
