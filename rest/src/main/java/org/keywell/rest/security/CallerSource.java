package org.keywell.rest.security;

import jakarta.servlet.http.HttpServletRequest;
import org.keywell.signing.caller.Caller;

/** How a port determines the caller. Thread-safe. */
interface CallerSource {

  /**
   * Returns the sender of a request, as far as its transport proves it. Ignores the body.
   *
   * @throws CallerRefusedException if the sender is not a known caller
   */
  Caller of(HttpServletRequest request);
}
