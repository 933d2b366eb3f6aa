package org.keywell.rest.security;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.signing.caller.Caller;
import org.springframework.http.HttpHeaders;

/**
 * The only caller of a port without client certificates, which is reachable only from this machine:
 * anyone on it, or anyone on it who can read the token's file.
 */
final class LocalCaller implements CallerSource {

  private final Caller caller;
  private final @Nullable LocalToken token;

  /**
   * @param token what the caller must present; null: nothing
   */
  LocalCaller(Caller caller, @Nullable LocalToken token) {
    this.caller = caller;
    this.token = token;
  }

  @Override
  public Caller of(HttpServletRequest request) {
    if (token != null && !token.isIn(request.getHeader(HttpHeaders.AUTHORIZATION))) {
      throw new CallerRefusedException(
          new Problem(
              ProblemType.UNAUTHENTICATED,
              "send the token from keywell.security.local-token-file as a Bearer token, or as the"
                  + " password with any user name"),
          true);
    }
    return caller;
  }
}
