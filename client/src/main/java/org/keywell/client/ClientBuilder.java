package org.keywell.client;

import java.net.URI;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Builds a {@link KeywellClient}. For one thread. */
public final class ClientBuilder {
  private final URI base;
  private Duration deadline = KeywellClient.USUAL_DEADLINE;
  private @Nullable SSLContext tls;
  private @Nullable String token;
  private @Nullable RetryPolicy retries = RetryPolicy.STANDARD;
  private @Nullable CallObserver observer;

  ClientBuilder(URI base) {
    this.base = base;
  }

  /** How long each call may take, all of its tries together; 60 s unless it is said. */
  public ClientBuilder deadline(Duration wholeCall) {
    deadline = wholeCall;
    return this;
  }

  /**
   * The trusted certificates and the caller's own: what {@link PemTls} reads from files, or {@code
   * SslBundle.createSslContext()} of Spring Boot; Java's defaults unless it is said.
   */
  public ClientBuilder tls(SSLContext context) {
    tls = context;
    return this;
  }

  /** Sent with each request (RFC 6750), to whoever listens at the address. */
  public ClientBuilder token(String bearer) {
    token = bearer;
    return this;
  }

  /** How calls are tried again; {@link RetryPolicy#STANDARD} unless it is said. */
  public ClientBuilder retries(RetryPolicy policy) {
    retries = policy;
    return this;
  }

  /** Each call is tried once, and what it gets is told. */
  public ClientBuilder withoutRetries() {
    retries = null;
    return this;
  }

  /** Looks on at each call. */
  public ClientBuilder observer(CallObserver onlooker) {
    observer = onlooker;
    return this;
  }

  /** Makes the client; no connection is opened yet. */
  public KeywellClient build() {
    return new KeywellClient(
        new Connections(base, tls, token == null ? null : "Bearer " + token),
        deadline,
        retries,
        observer,
        Time.SYSTEM);
  }
}
