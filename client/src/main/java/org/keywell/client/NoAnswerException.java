package org.keywell.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * No answer arrived: the service could not be reached, the connection was lost each time, or the
 * deadline passed. The service may still have processed the request: check with {@link
 * KeywellClient#result(String)} or {@link KeywellClient#act(String)}, or send the same request
 * again with the same id.
 *
 * <p>The cause is the JDK HTTP client's exception for the last try.
 */
public final class NoAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  private final @Nullable String id;
  private final int tries;
  private final @Nullable String advice;

  NoAnswerException(URI service, Call call, int tries, Duration deadline, IOException last) {
    super(explain(service, call, tries, deadline, last), last);
    this.advice = Advice.on(last, service).orElse(null);
    this.id = call.id();
    this.tries = tries;
  }

  private static String explain(
      URI service, Call call, int tries, Duration deadline, IOException last) {
    String failure =
        last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
    String why = Advice.on(last, service).map(advice -> failure + "; " + advice).orElse(failure);
    return "no answer from %s (tries: %s, deadline: %s ms%s): %s"
        .formatted(
            service,
            tries,
            deadline.toMillis(),
            call.id() == null ? "" : ", request: " + call.id(),
            why);
  }

  /** Returns the request's or act's id, also if the client generated it; empty if it has none. */
  public Optional<String> id() {
    return Optional.ofNullable(id);
  }

  /**
   * Returns what to check, as a clause for people: whether the service is running, the address's
   * scheme and port, or whether the private key matches the certificate. Empty if unknown.
   */
  public Optional<String> advice() {
    return Optional.ofNullable(advice);
  }

  /** Returns how often the call was tried. */
  public int tries() {
    return tries;
  }
}
