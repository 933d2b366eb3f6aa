package org.keywell.signing.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.start.NotThereYetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this machine's clock agrees with PostgreSQL's, which all instances share. A comparison
 * finds out what PostgreSQL's clock showed at a moment of elapsed time; elapsed time carries that
 * on. So a clock that is set is in doubt at once, and until it is set right; after a machine slept,
 * until the next comparison. While PostgreSQL is away, the last comparison stands.
 *
 * <p>Thread-safe. Only comparisons do I/O.
 */
public final class DatabaseClock {

  private static final Logger log = LoggerFactory.getLogger(DatabaseClock.class);

  /** Cheap, and never in a transaction's past, as {@code now()} is. */
  private static final String QUERY =
      "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

  /**
   * A disagreement.
   *
   * @param sinceNanos when a comparison found it, by the clock of elapsed time
   * @param why which clock shows what, for operators
   */
  public record Doubt(long sinceNanos, String why) {}

  /**
   * What PostgreSQL's clock showed.
   *
   * @param millis since 1970
   * @param nanos at about this moment of elapsed time
   * @param errorMillis it may have been so much earlier or later
   */
  private record Reading(long millis, long nanos, long errorMillis) {}

  private final long toleranceMillis;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private volatile @Nullable Reading last;
  private volatile @Nullable Doubt found;

  /**
   * @param tolerance by which the clocks may differ, besides what the network makes uncertain
   */
  public DatabaseClock(Duration tolerance, InstantSource clock, LongSupplier nanoClock) {
    this.toleranceMillis = tolerance.toMillis();
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /**
   * Compares the clocks, before this instance certifies anything.
   *
   * @throws NotThereYetException if they disagree, or PostgreSQL does not answer
   */
  public void requireAgreement(InstanceLock lock) {
    try {
      compareBy(lock);
    } catch (SQLException e) {
      throw new NotThereYetException("the clock cannot be compared with PostgreSQL's", e);
    }
    if (isInDoubt()) {
      throw new NotThereYetException(why());
    }
  }

  /** Compares the clocks; to be repeated every few seconds, by one thread. */
  public void compare(InstanceLock lock) {
    try {
      compareBy(lock);
    } catch (SQLException e) {
      log.debug("the clock is not compared with PostgreSQL's: {}", e.getMessage());
    }
    tell();
  }

  private void compareBy(InstanceLock lock) throws SQLException {
    last = lock.whileHeld(this::read);
  }

  /** Asks once; half of the round trip is uncertain, as is the millisecond. */
  private Reading read(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
      long before = nanoClock.getAsLong();
      try (ResultSet row = statement.executeQuery()) {
        long half = (nanoClock.getAsLong() - before) / 2;
        row.next();
        return new Reading(row.getLong(1), before + half, TimeUnit.NANOSECONDS.toMillis(half) + 1);
      }
    }
  }

  /** Logs each change once. */
  private void tell() {
    boolean doubted = found != null;
    if (isInDoubt()) {
      found = new Doubt(doubted ? found().sinceNanos() : nanoClock.getAsLong(), why());
      if (!doubted) {
        log.error("{}: nothing is certified until they agree", why());
      }
    } else if (doubted) {
      found = null;
      log.info("this instance's clock agrees with PostgreSQL's again");
    }
  }

  private Doubt found() {
    Doubt doubt = found;
    return doubt == null ? new Doubt(nanoClock.getAsLong(), why()) : doubt;
  }

  /** Whether the clocks disagree, by what the last comparison says of this very moment. */
  public boolean isInDoubt() {
    Reading reading = last;
    return reading != null
        && Math.abs(aheadMillis(reading)) - reading.errorMillis() > toleranceMillis;
  }

  /** Returns since when and how the clocks disagree; empty while they agree. */
  public Optional<Doubt> doubt() {
    return isInDoubt() ? Optional.of(found()) : Optional.empty();
  }

  /** Returns PostgreSQL's time minus this clock's; empty before the first comparison. */
  public Optional<Duration> offset() {
    Reading reading = last;
    return reading == null
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(-aheadMillis(reading)));
  }

  private long aheadMillis(Reading reading) {
    return clock.millis() - reading.millis() - elapsedMillis(reading);
  }

  private long elapsedMillis(Reading reading) {
    return TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - reading.nanos());
  }

  private String why() {
    Reading reading = last;
    if (reading == null) {
      return "this instance's clock has not been compared with PostgreSQL's";
    }
    long ahead = aheadMillis(reading);
    return "this instance's clock shows %s and PostgreSQL's %s: it is %s s %s, more than keywell.database.clock-tolerance (%s s)"
        .formatted(
            clock.instant().truncatedTo(ChronoUnit.SECONDS),
            Instant.ofEpochMilli(reading.millis() + elapsedMillis(reading))
                .truncatedTo(ChronoUnit.SECONDS),
            TimeUnit.MILLISECONDS.toSeconds(Math.abs(ahead)),
            ahead > 0 ? "ahead" : "behind",
            TimeUnit.MILLISECONDS.toSeconds(toleranceMillis));
  }
}
