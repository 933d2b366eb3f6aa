package org.keywell.client;

import java.net.URI;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Builds a {@link KeywellClient}. Not thread-safe. */
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

  /** Sets how long each call may take, including all of its tries; 60 s by default. */
  public ClientBuilder deadline(Duration wholeCall) {
    deadline = wholeCall;
    return this;
  }

  /**
   * Sets the trusted certificates and the caller's own, for example from {@link PemTls} or from
   * {@code SslBundle.createSslContext()} of Spring Boot; Java's defaults if not set.
   */
  public ClientBuilder tls(SSLContext context) {
    tls = context;
    return this;
  }

  /** Sets a token to send with each request (RFC 6750), regardless of who listens there. */
  public ClientBuilder token(String bearer) {
    token = bearer;
    return this;
  }

  /** Sets how calls are retried; {@link RetryPolicy#STANDARD} by default. */
  public ClientBuilder retries(RetryPolicy policy) {
    retries = policy;
    return this;
  }

  /** Tries each call once and reports its outcome as is. */
  public ClientBuilder withoutRetries() {
    retries = null;
    return this;
  }

  /** Sets an observer of all calls. */
  public ClientBuilder observer(CallObserver onlooker) {
    observer = onlooker;
    return this;
  }

  /** Creates the client; does not open a connection yet. */
  public KeywellClient build() {
    return new KeywellClient(
        new Connections(base, tls, token == null ? null : "Bearer " + token),
        deadline,
        retries,
        observer,
        Time.SYSTEM);
  }
}
