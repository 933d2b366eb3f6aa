package org.keywell.service.act;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.service.request.KeyUse;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.RequestTimes.Stage;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;
import org.keywell.service.sign.PendingRequest;

/**
 * An act whose key is certified and has not signed. It ends once: by its second call, or without
 * one. Who asks for what is not possible any more is told what it has come to.
 *
 * <p>Thread-safe.
 */
final class OpenAct {

  /** What an act has come to, from the one call to the other. */
  private enum State {
    /** Not on record as open yet. */
    OPENING,
    OPEN,
    /** Its digests have come. */
    SIGNING,
    /** Its key is to be destroyed. */
    ENDING
  }

  /**
   * How a call found the act.
   *
   * @param begun whether it is this call's to go on
   * @param last what the act comes to; null: it stands open, or is about to
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

  /** Until it expires; zero or less from then on. */
  Duration left() {
    return Duration.between(opening.times().now(), opened.expires());
  }

  /** Whether it stands open, so that nobody ends it but who asks now. */
  synchronized boolean isOpen() {
    return state == State.OPEN;
  }

  /** Whether it is not on record as open yet. */
  synchronized boolean isOpening() {
    return state == State.OPENING;
  }

  /** It is on record as open. */
  synchronized void open() {
    if (state == State.OPENING) {
      state = State.OPEN;
    }
  }

  /**
   * The digests have come.
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

  /** Its digests are not on record: it stands open again. */
  synchronized void reopen() {
    if (state == State.SIGNING) {
      state = State.OPEN;
      last = null;
    }
  }

  /**
   * It is to end without digests.
   *
   * @param how makes its outcome of the end of its key
   */
  synchronized Found end(Function<KeyUse, SignOutcome> how, RequestTimes now) {
    if (state == State.SIGNING || state == State.ENDING) {
      return new Found(false, last);
    }
    state = State.ENDING;
    end = how;
    // Nobody waits for it beyond now.
    Duration within = opening.times().sinceReceipt();
    last = new PendingRequest(request().completedBy(List.of(), within), opening, now);
    return new Found(true, last);
  }

  /** What its key is to be destroyed for; null if that is not so. */
  synchronized @Nullable PendingRequest ending() {
    return state == State.ENDING ? last : null;
  }

  /** The outcome of an act that ends without digests. */
  synchronized SignOutcome outcome(KeyUse use) {
    return end.apply(use);
  }

  static boolean same(List<byte[]> digests, List<byte[]> others) {
    return Arrays.deepEquals(digests.toArray(), others.toArray());
  }
}
