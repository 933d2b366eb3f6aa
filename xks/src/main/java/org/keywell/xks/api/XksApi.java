package org.keywell.xks.api;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.log.LogPace;
import org.keywell.keypool.store.StoreException;
import org.keywell.listener.http.HttpAnswer;
import org.keywell.listener.http.HttpRequest;
import org.keywell.xks.auth.SignatureCheck;
import org.keywell.xks.error.ErrorAnswer;
import org.keywell.xks.error.XksError;
import org.keywell.xks.error.XksException;
import org.keywell.xks.hsm.HsmProofs;
import org.keywell.xks.hsm.KeyHsms;
import org.keywell.xks.store.XksKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests: finds out what is asked for and by whom, and does it if there is room.
 * Thread-safe.
 */
public final class XksApi implements Function<HttpRequest, HttpAnswer> {

  private static final Logger log = LoggerFactory.getLogger(XksApi.class);

  /** For load balancers, which sign nothing. */
  private static final String PING = "/ping";

  private final String prefix;
  private final SignatureCheck signatures;
  private final KeyOperations operations;
  private final HealthStatus health;
  private final int maxConcurrent;
  private final Places room;
  private final long deadlineNanos;
  private final AnswerListener listener;
  private final LogPace refusals = new LogPace(System::nanoTime);
  private final LogPace failures = new LogPace(System::nanoTime);

  /**
   * @param prefix of all paths: empty, or with a slash at its start and none at its end
   * @param version of this program
   * @param instances how many run
   * @param maxConcurrent requests that are worked on at the same time
   * @param deadline from a request's first byte to its answer; half of it may be spent on waiting
   *     for room
   * @param listener is told of each request that {@link #answered} or {@link #malformed} is
   */
  public XksApi(
      String prefix,
      SignatureCheck signatures,
      XksKeys keys,
      KeyHsms hsms,
      String version,
      IntSupplier instances,
      int maxConcurrent,
      Duration deadline,
      AnswerListener listener) {
    this.prefix = prefix;
    this.signatures = signatures;
    this.operations = new KeyOperations(keys, hsms);
    this.health = new HealthStatus(keys, new HsmProofs(hsms, System::nanoTime), version, instances);
    this.maxConcurrent = maxConcurrent;
    this.room = new Places(maxConcurrent);
    this.deadlineNanos = deadline.toNanos();
    this.listener = listener;
  }

  /** Returns the names of all operations. */
  public static List<String> operations() {
    return Stream.of(Route.Operation.values()).map(Route.Operation::label).toList();
  }

  /**
   * Does parts of requests for a while, so that the first ones find them loaded and compiled.
   *
   * @param time 0: not at all
   */
  public void rehearse(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    try {
      while (System.nanoTime() < end) {
        operations.rehearse();
      }
    } catch (StoreException e) {
      log.warn("XKS requests could not be rehearsed: {}", e.getMessage());
    }
  }

  /** Returns the answer in place of one that is late. */
  public HttpAnswer late() {
    return ErrorAnswer.of(
        new XksException(
            XksError.DEPENDENCY_TIMEOUT,
            "no result within %d ms (keywell.xks.deadline)".formatted(deadlineNanos / 1_000_000)));
  }

  /** Returns the answer to what is no request. */
  public HttpAnswer malformed(int status, String why) {
    HttpAnswer answer = ErrorAnswer.of(status, XksError.VALIDATION, why);
    listener.answered(null, answer.failure(), 0);
    return answer;
  }

  /** Passes on what a request got. Load balancers' are none of the API. */
  public void answered(HttpRequest request, HttpAnswer answer) {
    if (!isPing(request)) {
      listener.answered(
          operation(request), answer.failure(), System.nanoTime() - request.arrivedNanos());
    }
  }

  private static boolean isPing(HttpRequest request) {
    return request.method().equals("GET") && request.target().equals(PING);
  }

  private @Nullable String operation(HttpRequest request) {
    try {
      return Route.of(request.target(), prefix).operation().label();
    } catch (XksException e) {
      return null;
    }
  }

  @Override
  public HttpAnswer apply(HttpRequest request) {
    try {
      if (isPing(request)) {
        return new HttpAnswer(200, null, "{}");
      }
      Route route = Route.of(request.target(), prefix);
      if (!request.method().equals("POST")) {
        return ErrorAnswer.of(405, XksError.VALIDATION, "only POST is served at this path");
      }
      String caller = signatures.requireSigned(request);
      RequestBody body = RequestBody.parse(request.body());
      return new HttpAnswer(200, null, inTurn(route, caller, body, request.arrivedNanos()));
    } catch (XksException e) {
      tell(e);
      return ErrorAnswer.of(e);
    } catch (StoreException e) {
      tell(e);
      return ErrorAnswer.of(new XksException(XksError.INTERNAL, "the database failed", e));
    } catch (RuntimeException e) {
      tell(e);
      return ErrorAnswer.of(new XksException(XksError.INTERNAL, "the request failed", e));
    }
  }

  private String inTurn(Route route, String caller, RequestBody body, long arrivedNanos) {
    if (!room.enter(caller, arrivedNanos + deadlineNanos / 2)) {
      throw new XksException(
          XksError.THROTTLING, "keywell.xks.max-concurrent is %d".formatted(maxConcurrent));
    }
    try {
      long until = arrivedNanos + deadlineNanos;
      return switch (route.operation()) {
        case GET_KEY_METADATA -> operations.metadata(route, caller, body);
        case ENCRYPT -> operations.encrypt(route, caller, body, until);
        case DECRYPT -> operations.decrypt(route, caller, body, until);
        case GET_HEALTH_STATUS -> health.answer(body);
      };
    } finally {
      room.leave(caller);
    }
  }

  private void tell(RuntimeException failure) {
    XksError error = failure instanceof XksException refusal ? refusal.error() : XksError.INTERNAL;
    if (error == XksError.INTERNAL) {
      long told = failures.due(1);
      if (told > 0) {
        log.error("XKS requests that failed: {}; the last:", told, failure);
      }
    } else if (error == XksError.AUTHENTICATION_FAILED) {
      long told = refusals.due(1);
      if (told > 0) {
        log.warn(
            "XKS requests that are not authenticated: {}; the last: {}",
            told,
            failure.getMessage());
      }
    }
  }
}
