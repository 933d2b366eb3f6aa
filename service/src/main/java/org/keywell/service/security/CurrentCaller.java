package org.keywell.service.security;

import jakarta.servlet.http.HttpServletRequest;
import org.keywell.service.caller.Caller;

/** Who sent a request, as the edge has found out. */
public final class CurrentCaller {

  private static final String ATTRIBUTE = Caller.class.getName();

  private CurrentCaller() {}

  /** The name of who sent a request; {@link RefusedRequest#NOBODY} if that is no caller. */
  static String nameOf(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Caller caller
        ? caller.name()
        : RefusedRequest.NOBODY;
  }

  /**
   * The caller of a request that the edge has let in.
   *
   * @throws IllegalStateException if it did not come by the edge: nobody is let in by default
   */
  public static Caller of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Caller caller) {
      return caller;
    }
    throw new IllegalStateException("nobody has told who sent this request");
  }

  static void set(HttpServletRequest request, Caller caller) {
    request.setAttribute(ATTRIBUTE, caller);
  }
}
