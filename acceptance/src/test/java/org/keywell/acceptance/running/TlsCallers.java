package org.keywell.acceptance.running;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.TlsAuthority;

/** A service's TLS, and callers with certificates that it knows by name. */
public final class TlsCallers {

  private final TlsAuthority authority;

  private TlsCallers(TlsAuthority authority) {
    this.authority = authority;
  }

  /**
   * Makes certificates and the callers file.
   *
   * @param limits of callers that sign and vouch for signers, by name; such as {@code
   *     rate-per-second: 1, burst: 2}, or empty
   */
  public static TlsCallers create(Path directory, Map<String, String> limits)
      throws IOException, InterruptedException {
    TlsAuthority authority = TlsAuthority.create(directory, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1,DNS:localhost");
    StringBuilder callers = new StringBuilder("callers:\n");
    for (Map.Entry<String, String> caller : limits.entrySet()) {
      authority.certify(caller.getKey(), "extendedKeyUsage=clientAuth");
      callers.append(
          "  - {name: %1$s, certificate: {subject: CN=%1$s}, roles: [sign], identity: trusted-caller%2$s}\n"
              .formatted(
                  caller.getKey(), caller.getValue().isEmpty() ? "" : ", " + caller.getValue()));
    }
    new OpenSsl(directory).write("callers.yaml", callers.toString());
    return new TlsCallers(authority);
  }

  /** For the service. */
  public Map<String, String> settings() {
    return authority.serverSettings();
  }

  /** The service as a caller sees it, on connections of its own. */
  public HttpApi http(int port, String caller) {
    return new HttpApi(client(caller), base(port));
  }

  /** As {@link #http(int, String)}, from an address of this host. */
  public HttpApi http(int port, String caller, InetAddress from) {
    return new HttpApi(
        HttpClient.newBuilder().sslContext(authority.context(caller)).localAddress(from).build(),
        base(port));
  }

  /**
   * A client that is this caller.
   *
   * @param caller null: it has no certificate
   */
  public HttpClient client(@Nullable String caller) {
    return HttpClient.newBuilder().sslContext(authority.context(caller)).build();
  }

  public static URI base(int port) {
    return URI.create("https://127.0.0.1:" + port);
  }
}
