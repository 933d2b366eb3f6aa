package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.database.*}.
 *
 * @param url a PostgreSQL database's JDBC URL; or {@code embedded}, where the program contains one
 * @param username of an external database
 * @param passwordFile a file with the password of an external database; takes precedence over
 *     {@code password}
 * @param password for the environment, where a file is not possible
 * @param owner the role that owns the tables of an external database and migrates them; null: the
 *     service connects as it, or someone else migrates
 * @param maxConnections connections that Keywell opens at most, 4 to 100: one for the record
 *     writer, {@link #readConnections} to answer callers, {@link #otherConnections} for all else
 * @param recordQueueLimit receipts and outcomes that may wait to be written, 1 to 100,000
 * @param outcomePatience how long writing a request's outcome is retried while the database is
 *     away, 0 to 60 s; 0: not at all
 * @param acceptRestored whether a start goes on with a database that is older than what the HSMs
 *     have seen of it; for one start
 * @param clockTolerance by how much this machine's clock may differ from PostgreSQL's, 1 s to 1 h
 */
public record DatabaseProperties(
    @DefaultValue("embedded") String url,
    @Nullable String username,
    @Nullable Path passwordFile,
    @Nullable String password,
    @Nullable Owner owner,
    @DefaultValue("10") int maxConnections,
    @DefaultValue("1024") int recordQueueLimit,
    @DefaultValue("15s") Duration outcomePatience,
    @DefaultValue("false") boolean acceptRestored,
    @DefaultValue("10s") Duration clockTolerance) {

  /**
   * {@code keywell.database.owner.*}.
   *
   * @param passwordFile a file with its password; takes precedence over {@code password}
   * @param password for the environment, where a file is not possible
   */
  public record Owner(
      @DefaultValue("") String username, @Nullable Path passwordFile, @Nullable String password) {

    public Owner {
      if (username.isEmpty()) {
        throw new IllegalArgumentException("keywell.database.owner.username is not set");
      }
    }

    /** Omits the password. */
    @Override
    public String toString() {
      return "Owner[" + username + "]";
    }
  }

  public DatabaseProperties {
    if (!url.equals("embedded") && !url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException(
          "keywell.database.url is neither 'embedded' nor 'jdbc:postgresql:…'");
    }
    if (url.contains("reWriteBatchedInserts")) {
      throw new IllegalArgumentException(
          "keywell.database.url sets reWriteBatchedInserts: the driver then does not tell which"
              + " requests are new; leave it out");
    }
    if (owner != null && owner.username().equals(username)) {
      throw new IllegalArgumentException(
          "keywell.database.owner.username is the same as keywell.database.username; name another"
              + " role, or leave it out");
    }
    require("keywell.database.max-connections", maxConnections, 4, 100);
    require("keywell.database.record-queue-limit", recordQueueLimit, 1, 100_000);
    require("keywell.database.outcome-patience", outcomePatience, "0", "60s");
    require("keywell.database.clock-tolerance", clockTolerance, "1s", "1h");
  }

  public boolean isEmbedded() {
    return url.equals("embedded");
  }

  /** The record writer commits on one connection, which nothing else can take. */
  public static final int RECORD_CONNECTIONS = 1;

  /** A read takes a millisecond, so this many are answered soon. */
  private static final int READS_PER_CONNECTION = 50;

  /** Returns the connections that callers' reads of records share, at least one. */
  public int readConnections() {
    return maxConnections / 4;
  }

  /** Returns how many reads of records may wait for those connections or have one. */
  public int readsAtOnce() {
    return readConnections() * READS_PER_CONNECTION;
  }

  /** Returns the remaining connections, at least two: one holds the instance's lock. */
  public int otherConnections() {
    return maxConnections - RECORD_CONNECTIONS - readConnections();
  }

  /** Omits the password. */
  @Override
  public String toString() {
    return "DatabaseProperties[" + url + "]";
  }
}
