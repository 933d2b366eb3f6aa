package org.keywell.rest.problem;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Answers a request as a port's door refuses one: with a delay, and on a connection that stays
 * open. Tomcat closes one after each 503, so a caller refused over TLS would cost a handshake each
 * time.
 */
@FunctionalInterface
public interface TurningAway {

  /** Must be called at most once, before any of the body is read or anything is answered. */
  void answer(Problem refusal) throws IOException;

  /** Returns what turns this request away; null if it did not come through a bounded connector. */
  static @Nullable TurningAway of(ServletRequest request) {
    return (TurningAway) request.getAttribute(TurningAway.class.getName());
  }
}
