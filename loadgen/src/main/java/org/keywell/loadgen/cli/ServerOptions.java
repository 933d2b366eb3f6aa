package org.keywell.loadgen.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;
import org.keywell.client.PemTls;
import picocli.CommandLine.Option;

/** Which service to drive, and how to reach it. */
final class ServerOptions {
  static final String DEFAULT_URL = "http://127.0.0.1:8420";

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${KEYWELL_URL:-" + DEFAULT_URL + "}",
      description =
          "The service's address; default: the environment's KEYWELL_URL, else "
              + DEFAULT_URL
              + ".")
  private String url = DEFAULT_URL;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      defaultValue = "${KEYWELL_TLS_CA}",
      description = "PEM certificates to trust as issuers of the service's own (https only).")
  private @Nullable Path tlsCa;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      defaultValue = "${KEYWELL_TLS_CERT}",
      description = "PEM certificate to show to the service; needs --tls-key.")
  private @Nullable Path tlsCert;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      defaultValue = "${KEYWELL_TLS_KEY}",
      description = "PEM private key (PKCS #8, unencrypted) of --tls-cert.")
  private @Nullable Path tlsKey;

  String url() {
    return url;
  }

  /** A client for the service; no connection is opened yet. */
  KeywellClient client(Duration timeout) throws IOException, MisuseException {
    return new KeywellClient(address(), timeout, tls());
  }

  private URI address() throws MisuseException {
    try {
      URI address = new URI(url);
      if (address.getHost() != null && (url.startsWith("http:") || isHttps())) {
        return address;
      }
    } catch (URISyntaxException e) {
      // Told below, like every other unusable address.
    }
    throw new MisuseException("'" + url + "' is no address like " + DEFAULT_URL);
  }

  private @Nullable SSLContext tls() throws IOException, MisuseException {
    if ((tlsCert == null) != (tlsKey == null)) {
      throw new MisuseException("--tls-cert and --tls-key go together");
    }
    return isHttps() && (tlsCa != null || tlsCert != null)
        ? PemTls.context(tlsCa, tlsCert, tlsKey)
        : null;
  }

  private boolean isHttps() {
    return url.startsWith("https:");
  }
}
