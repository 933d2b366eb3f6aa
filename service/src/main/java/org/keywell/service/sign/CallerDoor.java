package org.keywell.service.sign;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.service.caller.Caller;
import org.keywell.service.fairness.CallerRates;
import org.keywell.service.problem.Problem;
import org.keywell.service.problem.ProblemType;
import org.keywell.service.problem.ProblemWriter;
import org.keywell.service.request.Refusal;
import org.keywell.service.security.CurrentCaller;
import org.springframework.core.annotation.Order;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Turns a caller's requests for signatures away that come too fast, or while its share of the queue
 * is full: as soon as it is known who calls, and before the body is read. Admission still decides
 * about those that come in.
 *
 * <p>Nothing but signatures is asked for by {@code POST}, so that no spelling of the path gets
 * past.
 */
@Order(CallerDoor.BEHIND_AUTHENTICATION)
public final class CallerDoor extends OncePerRequestFilter {

  /** That is among the first, and bodies are read by the last one. */
  static final int BEHIND_AUTHENTICATION = 0;

  /** The second call of an act, which needs no place in the queue. */
  private static final String ONE_ACT = "/acts/";

  private final CallerRates rates;
  private final Supplier<Admission> admission;
  private final Supplier<SignListener> listener;
  private final ProblemWriter problems;

  /**
   * @param admission is asked for with the first request: filters are made before what they lead to
   * @param listener likewise; is told of requests that come too fast, of others admission tells
   */
  public CallerDoor(
      CallerRates rates,
      Supplier<Admission> admission,
      Supplier<SignListener> listener,
      ProblemWriter problems) {
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
      refusal = request.getRequestURI().startsWith(ONE_ACT) ? tooFast(caller) : refusal(caller);
    }
    if (refusal == null) {
      chain.doFilter(request, response);
    } else {
      problems.turnAway(refusal, request, response);
    }
  }

  /** Why a request of this caller's is turned away whatever it says; null if it may come in. */
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
