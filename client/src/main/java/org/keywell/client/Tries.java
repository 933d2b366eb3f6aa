package org.keywell.client;

import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLKeyException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLProtocolException;
import org.jspecify.annotations.Nullable;

/** The tries of one call, until it has a final answer or its deadline passes. */
final class Tries {
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private final Connections kept;
  private final RetryPolicy policy;
  private final Time time;
  private final Call call;
  private final Duration deadline;
  private final long startNanos;

  private int tries;
  private int elsewhere;
  private @Nullable Connections fresh;

  Tries(Connections kept, RetryPolicy policy, Time time, Call call, Duration deadline) {
    this.kept = kept;
    this.policy = policy;
    this.time = time;
    this.call = call;
    this.deadline = deadline;
    this.startNanos = time.nanos();
  }

  /**
   * Returns the first answer that a retry would not change, or the latest one if the pause before a
   * retry would exceed the deadline.
   */
  Answer run() throws IOException, InterruptedException {
    try {
      while (true) {
        tries++;
        Duration pause;
        try {
          Answer answer = (fresh == null ? kept : fresh).exchange(call, limitOfTry());
          Optional<Duration> again = againAfter(answer);
          if (again.isEmpty() || !isTimeFor(again.get())) {
            return answer;
          }
          pause = again.get();
        } catch (UnexpectedAnswerException e) {
          throw e;
        } catch (IOException e) {
          pause = policy.pause(tries, time.chance());
          if (isForGood(e) || !isTimeFor(pause)) {
            throw new NoAnswerException(kept.base(), call, tries, deadline, e);
          }
        }
        time.sleep(pause);
      }
    } finally {
      closeFresh();
    }
  }

  int count() {
    return tries;
  }

  private Duration limitOfTry() throws HttpTimeoutException {
    Duration left = left();
    if (left.isNegative() || left.isZero()) {
      throw new HttpTimeoutException("the deadline has passed");
    }
    return left.compareTo(policy.longestTry()) < 0 ? left : policy.longestTry();
  }

  private Duration left() {
    return deadline.minusNanos(time.nanos() - startNanos);
  }

  private boolean isTimeFor(Duration pause) {
    return left().compareTo(pause) > 0;
  }

  /** Returns the pause before the next try; empty if the answer is final. */
  private Optional<Duration> againAfter(Answer answer) {
    return switch (answer.status()) {
      case TOO_MANY_REQUESTS, UNAVAILABLE ->
          answer.retryAfter().map(this::orSomewhatLater).or(() -> pauseUnlessKeywells(answer));
      // A load balancer reports that no instance answered: treat it like a lost connection.
      case 502, 504 -> pauseUnlessKeywells(answer);
      // The first request with this id is still in progress.
      case 409 -> answer.problem().is("request-in-progress") ? pause() : Optional.empty();
      // RFC 9110, 15.5.20: may be retried over another connection.
      case 421 ->
          answer.problem().is("act-elsewhere") && useNewConnection()
              ? Optional.of(policy.pause(1, time.chance()))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private Duration orSomewhatLater(Duration told) {
    return told.plusNanos((long) (told.toNanos() / 4.0 * time.chance()));
  }

  private Optional<Duration> pauseUnlessKeywells(Answer answer) {
    return answer.problem().isKeywells() ? Optional.empty() : pause();
  }

  private Optional<Duration> pause() {
    return Optional.of(policy.pause(tries, time.chance()));
  }

  /** A load balancer that ignores ids routes each new connection to an arbitrary instance. */
  private boolean useNewConnection() {
    if (elsewhere == policy.newConnections()) {
      return false;
    }
    elsewhere++;
    closeFresh();
    fresh = kept.separate();
    return true;
  }

  private void closeFresh() {
    if (fresh != null) {
      fresh.close();
      fresh = null;
    }
  }

  /** Whether one side does not accept the identity of the other. */
  private static boolean isForGood(IOException failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof SSLHandshakeException
          || e instanceof SSLPeerUnverifiedException
          || e instanceof SSLKeyException
          || e instanceof SSLProtocolException) {
        return true;
      }
    }
    return Advice.isForGood(failure);
  }
}
