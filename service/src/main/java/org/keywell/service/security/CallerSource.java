package org.keywell.service.security;

import jakarta.servlet.http.HttpServletRequest;
import org.keywell.service.caller.Caller;

/** How a port tells who calls. Thread-safe. */
interface CallerSource {

  /**
   * Who sent a request, as far as its transport proves it. The body is not looked at.
   *
   * @throws CallerRefusedException if that is nobody whom the service knows
   */
  Caller of(HttpServletRequest request);
}
