package org.keywell.cli.options;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.keywell.client.ClientBuilder;
import org.keywell.client.KeywellClient;
import org.keywell.client.PemTls;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which service to call, and how. A mixin for picocli commands, which fills it. */
public final class ServerOptions {
  private static final String DEFAULT_URL = "http://127.0.0.1:8420";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${KEYWELL_URL:-" + DEFAULT_URL + "}",
      description = "The service's address; default: KEYWELL_URL, else " + DEFAULT_URL + ".")
  private String url = DEFAULT_URL;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      defaultValue = "${KEYWELL_TLS_CA}",
      description =
          "PEM certificates to trust as issuers of the service's certificate (https only).")
  private @Nullable Path tlsCa;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      defaultValue = "${KEYWELL_TLS_CERT}",
      description = "PEM client certificate; requires --tls-key.")
  private @Nullable Path tlsCert;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      defaultValue = "${KEYWELL_TLS_KEY}",
      description = "PEM private key (PKCS #8, unencrypted) for --tls-cert.")
  private @Nullable Path tlsKey;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      defaultValue = "${KEYWELL_TOKEN_FILE}",
      description =
          "Token for a service on this machine that requires one; default: KEYWELL_TOKEN_FILE, else"
              + " KEYWELL_HOME/local.token if it exists.")
  private @Nullable Path tokenFile;

  /**
   * Returns options for a service at the given address. Without a command to report to, {@link
   * #client} and {@link #builder} throw an {@link IllegalStateException} if the address is not
   * usable.
   */
  public static ServerOptions to(String url) {
    ServerOptions options = new ServerOptions();
    options.url = url;
    return options;
  }

  /** Returns the same options for a service at another address. */
  public ServerOptions at(String otherUrl) {
    ServerOptions other = to(otherUrl);
    other.spec = spec;
    other.tlsCa = tlsCa;
    other.tlsCert = tlsCert;
    other.tlsKey = tlsKey;
    other.tokenFile = tokenFile;
    return other;
  }

  /** Returns the service's address as given. */
  public String url() {
    return url;
  }

  /**
   * Returns a client without retries; opens no connection yet. The caller closes it.
   *
   * @param timeout how long to wait for each answer
   * @throws ParameterException if the address is not usable, or options contradict each other
   * @throws IllegalStateException instead, if the options come from {@link #to}
   * @throws IOException if a TLS or token file cannot be read or has the wrong content
   */
  public KeywellClient client(Duration timeout) throws IOException {
    return builder().deadline(timeout).withoutRetries().build();
  }

  /**
   * Returns a builder for a client of the service; it retries unless told otherwise.
   *
   * @throws ParameterException if the address is not usable, or options contradict each other
   * @throws IllegalStateException instead, if the options come from {@link #to}
   * @throws IOException if a TLS or token file cannot be read or has the wrong content
   */
  public ClientBuilder builder() throws IOException {
    URI address = address();
    ClientBuilder builder = KeywellClient.at(address);
    SSLContext tls = tls();
    if (tls != null) {
      builder.tls(tls);
    }
    String token = LocalToken.forService(address, tokenFile, System.getenv("KEYWELL_HOME"));
    if (token != null) {
      builder.token(token);
    }
    return builder;
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
      // Reported below, like every other unusable address.
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
