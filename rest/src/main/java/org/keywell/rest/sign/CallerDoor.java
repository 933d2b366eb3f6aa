package org.keywell.rest.sign;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.rest.security.CurrentCaller;
import org.keywell.rest.security.EndpointRoles;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.sign.Admission;
import org.keywell.signing.sign.AdmissionLimit;
import org.keywell.signing.sign.SignListener;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses a caller's signing requests that exceed its rate or its share of the queue, as soon as
 * the caller is known and before the body is read. Admission still decides about the rest.
 */
@Order(CallerDoor.BEHIND_AUTHENTICATION)
public final class CallerDoor extends OncePerRequestFilter {

  /** Authentication is among the first filters; the last one reads bodies. */
  static final int BEHIND_AUTHENTICATION = 0;

  private final EndpointRoles endpoints;
  private final CallerRates rates;
  private final Supplier<Admission> admission;
  private final Supplier<SignListener> listener;
  private final ProblemWriter problems;

  /**
   * @param admission resolved at the first request: filters are created before the parts that they
   *     lead to
   * @param listener likewise; notified of requests that come too fast; admission reports the others
   */
  public CallerDoor(
      EndpointRoles endpoints,
      CallerRates rates,
      Supplier<Admission> admission,
      Supplier<SignListener> listener,
      ProblemWriter problems) {
    this.endpoints = endpoints;
    this.rates = rates;
    this.admission = admission;
    this.listener = listener;
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    @Nullable Problem refusal = null;
    if ("POST".equals(request.getMethod())) {
      Caller caller = CurrentCaller.of(request);
      refusal = endpoints.takesPlace(request) ? refusal(caller) : tooFast(caller);
    }
    if (refusal == null) {
      chain.doFilter(request, response);
    } else {
      problems.turnAway(refusal, request, response);
    }
  }

  /** Returns why a signing request of this caller is refused now; null if it may come in. */
  @Nullable Problem refusal(Caller caller) {
    @Nullable Problem tooFast = tooFast(caller);
    if (tooFast != null) {
      return tooFast;
    }
    @Nullable Refusal overload = admission.get().overload(caller);
    return overload == null ? null : Problem.of(overload);
  }

  private @Nullable Problem tooFast(Caller caller) {
    Optional<Duration> tooFast = rates.take(caller);
    if (tooFast.isEmpty()) {
      return null;
    }
    listener.get().refused(AdmissionLimit.RATE_LIMIT);
    return new Problem(
        ProblemType.RATE_LIMIT,
        "the caller's rate-per-second is %d, its burst %d"
            .formatted(caller.limits().ratePerSecond(), caller.limits().burst()),
        tooFast.get());
  }
}
