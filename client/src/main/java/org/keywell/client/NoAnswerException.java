package org.keywell.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * No answer came: the service could not be reached, or the connection was lost each time, or the
 * deadline passed. What was asked for may have been done all the same: {@link
 * KeywellClient#result(String)} and {@link KeywellClient#act(String)} tell, and so does the same
 * request, sent again with the same id.
 *
 * <p>The cause is what the JDK's HTTP client said of the last try.
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
    return "no answer from %s (tries: %d, deadline: %d ms%s): %s"
        .formatted(
            service,
            tries,
            deadline.toMillis(),
            call.id() == null ? "" : ", request: " + call.id(),
            why);
  }

  /** The request's or act's id, also if the client made it; empty if it has none. */
  public Optional<String> id() {
    return Optional.ofNullable(id);
  }

  /**
   * What to look at, as a clause for people: a service that is not there, an address whose scheme
   * or port is another's, a private key that is not the certificate's. Empty where it cannot be
   * told.
   */
  public Optional<String> advice() {
    return Optional.ofNullable(advice);
  }

  /** How often it was tried. */
  public int tries() {
    return tries;
  }
}
