package org.keywell.client.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;
import org.keywell.client.PemTls;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which service to talk to, and how; common to all commands. */
final class ServerOptions {
  static final String DEFAULT_URL = "http://127.0.0.1:8420";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

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

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this and exit.")
  private boolean unusedHelp; // picocli acts on it itself

  /** An exchange with the service. */
  interface Exchange<T> {
    T with(KeywellClient client) throws IOException, InterruptedException, CommandFailedException;
  }

  /** Does an exchange; explains it if the service cannot be reached. */
  <T> T call(Duration timeout, Exchange<T> exchange)
      throws IOException, InterruptedException, CommandFailedException {
    try (KeywellClient client = new KeywellClient(address(), timeout, tls())) {
      return exchange.with(client);
    } catch (HttpTimeoutException e) {
      throw new CommandFailedException(url + " did not answer in time", e);
    } catch (ConnectException e) {
      throw new CommandFailedException(
          "no service answers at " + url + "; start one: ./keywell up", e);
    } catch (SSLException e) {
      throw new CommandFailedException(
          "no TLS connection to %s: %s (--tls-ca, --tls-cert, --tls-key)"
              .formatted(url, e.getMessage()),
          e);
    }
  }

  String url() {
    return url;
  }

  private URI address() {
    try {
      URI address = new URI(url);
      boolean usable =
          address.getHost() != null && ("http".equals(address.getScheme()) || isHttps());
      if (usable) {
        return address;
      }
    } catch (URISyntaxException e) {
      // Told below, like every other unusable address.
    }
    throw misuse("'" + url + "' is no address like " + DEFAULT_URL);
  }

  private @Nullable SSLContext tls() throws IOException {
    if ((tlsCert == null) != (tlsKey == null)) {
      throw misuse("--tls-cert and --tls-key go together");
    }
    return isHttps() && (tlsCa != null || tlsCert != null)
        ? PemTls.context(tlsCa, tlsCert, tlsKey)
        : null;
  }

  private boolean isHttps() {
    return url.startsWith("https:");
  }

  private RuntimeException misuse(String message) {
    return spec == null
        ? new IllegalStateException(message)
        : new ParameterException(spec.commandLine(), message);
  }
}
