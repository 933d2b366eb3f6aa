package org.keywell.signing.stamp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.worker.Worker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time, unless it is in doubt: this machine's clock, as long as it moves with the processor's
 * and most time servers confirm it. A clock that was set, or a machine that slept, is in doubt
 * until they have confirmed it again; without time servers, until the service is started again. So
 * is one that disagrees with PostgreSQL's, for as long as it does. Thread-safe.
 */
public final class ClockGuard {

  /** Asks a time server. */
  @FunctionalInterface
  interface Ask {
    NtpAnswer of(InetSocketAddress server) throws IOException;
  }

  private static final Logger log = LoggerFactory.getLogger(ClockGuard.class);

  /** More than two readings of the clocks are ever apart, and less than anyone's accuracy. */
  private static final Duration JUMP = Duration.ofMillis(10);

  /** A jump there and back in less would go unnoticed. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(200);

  private static final Duration LONGEST_READING = Duration.ofMillis(1);
  private static final int READINGS = 5;

  /** After so many missed rounds, what the servers have said counts no longer. */
  private static final int ROUNDS = 3;

  private final List<InetSocketAddress> servers;
  private final Duration every;
  private final Duration maxOffset;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final Ask ask;
  private final Supplier<Optional<String>> otherDoubt;
  private final Instant firstInstant;
  private final long firstNanos;
  private final Worker worker = new Worker("keywell-clock", this::watch);

  /** How far the clocks have come apart. Guarded by this, like the rest. */
  private Duration difference;

  private long confirmedNanos;
  private long askedNanos;
  private @Nullable String jumped;
  private @Nullable String unconfirmed;
  private @Nullable Duration offset;

  /**
   * @param servers none: only jumps are noticed
   * @param every how often they are asked
   * @param otherDoubt what else puts the clock in doubt, for as long as it is there
   */
  ClockGuard(
      List<InetSocketAddress> servers,
      Duration every,
      Duration maxOffset,
      InstantSource clock,
      LongSupplier nanoClock,
      Ask ask,
      Supplier<Optional<String>> otherDoubt) {
    this.servers = List.copyOf(servers);
    this.every = every;
    this.maxOffset = maxOffset;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.ask = ask;
    this.otherDoubt = otherDoubt;
    this.firstInstant = clock.instant();
    this.firstNanos = nanoClock.getAsLong();
    this.difference = difference();
    this.askedNanos = nanoClock.getAsLong() - every.toNanos();
    this.unconfirmed = servers.isEmpty() ? null : "no time server has been asked yet";
  }

  void start() {
    if (servers.isEmpty()) {
      log.warn("keywell.tsa.time-servers names none: of the clock, only jumps are noticed");
    }
    worker.start();
  }

  /** Returns whether the thread has ended in time. */
  boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  private Duration watch() {
    look();
    long now = nanoClock.getAsLong();
    if (now - askedNanos >= every.toNanos()) {
      askedNanos = now;
      check();
    }
    return LOOK_EVERY;
  }

  /** Returns the time; empty while it is in doubt. */
  public synchronized Optional<Instant> now() {
    Instant now = clock.instant();
    return doubt().isPresent() ? Optional.empty() : Optional.of(now);
  }

  /** Returns why the time is in doubt, for operators; empty while it is not. */
  public synchronized Optional<String> doubt() {
    look();
    if (jumped != null) {
      return Optional.of(jumped);
    }
    long age = nanoClock.getAsLong() - confirmedNanos;
    if (unconfirmed == null && !servers.isEmpty() && age > every.multipliedBy(ROUNDS).toNanos()) {
      doubt(
          "too few time servers have confirmed the clock for %d s"
              .formatted(Duration.ofNanos(age).toSeconds()));
    }
    return Optional.ofNullable(unconfirmed).or(otherDoubt);
  }

  /** Returns the last known offset of the time servers' time from the clock's. */
  public synchronized Optional<Duration> offset() {
    return Optional.ofNullable(offset);
  }

  /** Notices a jump. */
  synchronized void look() {
    Duration jump = difference().minus(difference);
    if (jumped == null && jump.abs().compareTo(JUMP) > 0) {
      jumped = "the clock has jumped by " + jump;
      log.error("no time stamps: {}", jumped);
    }
  }

  /** Asks the time servers, one after the other. */
  void check() {
    if (servers.isEmpty()) {
      return;
    }
    Duration before = difference();
    List<NtpAnswer> answers = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (InetSocketAddress server : servers) {
      try {
        NtpAnswer answer = ask.of(server);
        answers.add(answer);
        found.add("%s: %s ± %s".formatted(name(server), answer.offset(), answer.error()));
      } catch (IOException e) {
        found.add("%s: %s".formatted(name(server), e.getMessage()));
      }
    }
    judge(before, answers, String.join("; ", found));
  }

  private static String name(InetSocketAddress server) {
    return server.getHostString() + ":" + server.getPort();
  }

  private synchronized void judge(Duration before, List<NtpAnswer> answers, String found) {
    Duration now = difference();
    if (now.minus(before).abs().compareTo(JUMP) > 0) {
      look();
      return;
    }
    offset =
        answers.stream()
            .map(NtpAnswer::offset)
            .sorted()
            .skip(answers.size() / 2)
            .findFirst()
            .orElse(offset);
    long confirming =
        answers.stream().filter(answer -> answer.bound().compareTo(maxOffset) <= 0).count();
    if (2 * confirming > servers.size()) {
      confirm(now);
    } else if (2 * confirming <= answers.size() && !answers.isEmpty()) {
      doubt("time servers do not confirm the clock: " + found);
    } else {
      log.warn("too few time servers answer: {}", found);
    }
  }

  private void confirm(Duration now) {
    confirmedNanos = nanoClock.getAsLong();
    difference = now;
    if (jumped != null || unconfirmed != null) {
      log.info("time servers confirm the clock: time stamps are made");
    }
    jumped = null;
    unconfirmed = null;
  }

  private void doubt(String reason) {
    if (unconfirmed == null) {
      log.error("no time stamps: {}", reason);
    }
    unconfirmed = reason;
  }

  /** Returns how far the clocks have come apart, by readings that nothing has come between. */
  private Duration difference() {
    Duration result = Duration.ZERO;
    for (int i = 0; i < READINGS; i++) {
      long before = nanoClock.getAsLong();
      Instant wall = clock.instant();
      long took = nanoClock.getAsLong() - before;
      result =
          Duration.between(firstInstant, wall).minusNanos(before - firstNanos).minusNanos(took / 2);
      if (took < LONGEST_READING.toNanos()) {
        break;
      }
    }
    return result;
  }
}
