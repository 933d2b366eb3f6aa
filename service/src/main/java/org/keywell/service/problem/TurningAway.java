package org.keywell.service.problem;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Answers a request as one that the door of a port refuses: later, and on a connection that stays.
 * Tomcat closes one after each 503, so that a caller that is refused over TLS would cost a
 * handshake each time.
 */
@FunctionalInterface
public interface TurningAway {

  /** To be called at most once, when nothing of the body was read and nothing answered. */
  void answer(Problem refusal) throws IOException;

  /** What turns this request away; null if it did not come by a bounded connector. */
  static @Nullable TurningAway of(ServletRequest request) {
    return (TurningAway) request.getAttribute(TurningAway.class.getName());
  }
}
