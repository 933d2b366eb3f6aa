package org.keywell.rest.security;

import jakarta.servlet.http.HttpServletRequest;
import org.keywell.signing.caller.Caller;

/** The sender of a request, as determined at the edge. */
public final class CurrentCaller {

  private static final String ATTRIBUTE = Caller.class.getName();

  private CurrentCaller() {}

  /** Returns the sender's name; {@link RefusedRequest#NOBODY} if it is not a caller. */
  static String nameOf(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof Caller caller
        ? caller.name()
        : RefusedRequest.NOBODY;
  }

  /**
   * Returns the caller of a request that the edge has let in.
   *
   * @throws IllegalStateException if it did not pass the edge: nobody is let in by default
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
