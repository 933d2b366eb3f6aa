package org.keywell.signing.act;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.sign.PendingRequest;

/**
 * An act whose key is certified and has not signed. It ends once: by its second call, or without
 * one. A call that comes too late gets the request that ended it.
 *
 * <p>Thread-safe.
 */
final class OpenAct {

  /** The states of an act between its two calls. */
  private enum State {
    /** Not on record as open yet. */
    OPENING,
    OPEN,
    /** Its digests have arrived. */
    SIGNING,
    /** Its key is to be destroyed. */
    ENDING
  }

  /**
   * How a call found the act.
   *
   * @param begun whether this call must continue
   * @param last the request that ends the act; null: it is open, or about to be
   */
  record Found(boolean begun, @Nullable PendingRequest last) {}

  private final PendingRequest opening;
  private final SignOutcome.Opened opened;
  private State state = State.OPENING;
  private @Nullable PendingRequest last;
  private Function<KeyUse, SignOutcome> end =
      use -> {
        throw new IllegalStateException("the act is not to end");
      };

  OpenAct(PendingRequest opening, SignOutcome.Opened opened) {
    this.opening = opening;
    this.opened = opened;
  }

  PendingRequest opening() {
    return opening;
  }

  SignRequest request() {
    return opening.request();
  }

  SignOutcome.Opened opened() {
    return opened;
  }

  /** Returns the time until it expires; zero or less from then on. */
  Duration left() {
    return Duration.between(opening.times().now(), opened.expires());
  }

  /** Whether it is open, and nothing has ended it so far. */
  synchronized boolean isOpen() {
    return state == State.OPEN;
  }

  /** Whether it is not on record as open yet. */
  synchronized boolean isOpening() {
    return state == State.OPENING;
  }

  /** Notes that it is on record as open. */
  synchronized void open() {
    if (state == State.OPENING) {
      state = State.OPEN;
    }
  }

  /**
   * Starts signing these digests.
   *
   * @param thisCall the second call's own times
   */
  synchronized Found sign(List<byte[]> digests, RequestTimes thisCall) {
    if (state != State.OPEN || !left().isPositive()) {
      return new Found(false, last);
    }
    Duration within =
        Duration.between(
            opening.times().at(Stage.REQUEST_RECEIVED).orElseThrow(), opened.expires());
    last = new PendingRequest(request().completedBy(digests, within), opening, thisCall);
    state = State.SIGNING;
    return new Found(true, last);
  }

  /** Opens it again: its digests are not on record. */
  synchronized void reopen() {
    if (state == State.SIGNING) {
      state = State.OPEN;
      last = null;
    }
  }

  /**
   * Starts ending it without digests.
   *
   * @param how derives its outcome from the end of its key
   */
  synchronized Found end(Function<KeyUse, SignOutcome> how, RequestTimes now) {
    if (state == State.SIGNING || state == State.ENDING) {
      return new Found(false, last);
    }
    state = State.ENDING;
    end = how;
    // Its deadline is now.
    Duration within = opening.times().sinceReceipt();
    last = new PendingRequest(request().completedBy(List.of(), within), opening, now);
    return new Found(true, last);
  }

  /** Returns the request that ends it without digests; or null. */
  synchronized @Nullable PendingRequest ending() {
    return state == State.ENDING ? last : null;
  }

  /** Returns the outcome of an act that ends without digests. */
  synchronized SignOutcome outcome(KeyUse use) {
    return end.apply(use);
  }

  static boolean same(List<byte[]> digests, List<byte[]> others) {
    return Arrays.deepEquals(digests.toArray(), others.toArray());
  }
}
