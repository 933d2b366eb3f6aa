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

/** The tries of one call, until it has an answer that stays, or its deadline. */
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
   * The answer that counts: the first that another try would not change, or the last one before
   * waiting for another try would take too long.
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

  /** How many there have been. */
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

  /** When to ask again; empty if the answer stays. */
  private Optional<Duration> againAfter(Answer answer) {
    return switch (answer.status()) {
      case TOO_MANY_REQUESTS, UNAVAILABLE ->
          answer.retryAfter().map(this::orSomewhatLater).or(() -> pauseUnlessKeywells(answer));
      // A balancer's word, that no instance answered it: as if the connection had been lost.
      case 502, 504 -> pauseUnlessKeywells(answer);
      // The first one with this id is still being worked on.
      case 409 -> answer.problem().is("request-in-progress") ? pause() : Optional.empty();
      // RFC 9110, 15.5.20: may be tried again over another connection.
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

  /** A balancer that knows no ids gives each new connection to some instance. */
  private boolean useNewConnection() {
    if (elsewhere == policy.newConnections()) {
      return false;
    }
    elsewhere++;
    closeFresh();
    fresh = kept.anew();
    return true;
  }

  private void closeFresh() {
    if (fresh != null) {
      fresh.close();
      fresh = null;
    }
  }

  /** Whether who is at the other end is not who it should be, or takes us for such a one. */
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
