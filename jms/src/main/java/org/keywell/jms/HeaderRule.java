package org.keywell.jms;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.keywell.protection.Header;

/** What the protected header of a request has to say. Thread-safe. */
final class HeaderRule {

  /** How far senders' clocks may be ahead. */
  private static final Duration AHEAD = Duration.ofMinutes(5);

  private final String queue;
  private final Duration window;
  private final InstantSource clock;

  /**
   * @param queue where requests come from
   * @param window how old they may be
   */
  HeaderRule(String queue, Duration window, InstantSource clock) {
    this.queue = queue;
    this.window = window;
    this.clock = clock;
  }

  /** Returns what is wrong; null if nothing is. */
  Incoming.@Nullable Poison poison(Header header, String sender) {
    Instant now = clock.instant();
    if (!header.to().equals(queue)) {
      return poison(Fault.WRONG_QUEUE, sender, "its To is not this queue, but " + header.to());
    }
    if (header.date().isBefore(now.minus(window))) {
      return poison(
          Fault.TOO_OLD,
          sender,
          "its Date is %s; the queue's window is %s".formatted(header.date(), window));
    }
    if (header.date().isAfter(now.plus(AHEAD))) {
      return poison(
          Fault.TOO_FAR_AHEAD,
          sender,
          "its Date is %s, and now it is %s".formatted(header.date(), now));
    }
    return null;
  }

  /** Returns when such a message is too old. */
  Instant usableUntil(Header header) {
    return header.date().plus(window);
  }

  private static Incoming.Poison poison(Fault fault, String sender, String detail) {
    return new Incoming.Poison(fault, sender, detail, null);
  }
}
