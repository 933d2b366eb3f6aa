package org.keywell.service.settings;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.database.*}.
 *
 * @param url the JDBC URL of a PostgreSQL; or {@code embedded}, where one comes with the program
 * @param username of an external database
 * @param passwordFile a file with the password of an external database; takes precedence over
 *     {@code password}
 * @param password for the environment, where no file can be had
 * @param maxConnections connections that Keywell opens at the most, 4 to 100; the record writer has
 *     one, {@link #readConnections} answer callers, {@link #otherConnections} are for all else
 * @param recordQueueLimit receipts and outcomes that may wait to be written, 1 to 100,000
 * @param outcomePatience how long the outcome of a request is tried again while the database is
 *     away, 0 to 60 s; 0: not at all
 */
public record DatabaseProperties(
    @DefaultValue("embedded") String url,
    @Nullable String username,
    @Nullable Path passwordFile,
    @Nullable String password,
    @DefaultValue("10") int maxConnections,
    @DefaultValue("1024") int recordQueueLimit,
    @DefaultValue("15s") Duration outcomePatience) {

  private static final Duration MAX_OUTCOME_PATIENCE = Duration.ofSeconds(60);

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
    if (maxConnections < 4 || maxConnections > 100) {
      throw new IllegalArgumentException(
          "keywell.database.max-connections is " + maxConnections + ", expected 4-100");
    }
    if (recordQueueLimit < 1 || recordQueueLimit > 100_000) {
      throw new IllegalArgumentException(
          "keywell.database.record-queue-limit is " + recordQueueLimit + ", expected 1-100000");
    }
    if (outcomePatience.isNegative() || outcomePatience.compareTo(MAX_OUTCOME_PATIENCE) > 0) {
      throw new IllegalArgumentException(
          "keywell.database.outcome-patience is " + outcomePatience + ", expected 0-60s");
    }
  }

  public boolean isEmbedded() {
    return url.equals("embedded");
  }

  /** The record writer commits on one connection, which nobody else can take. */
  public static final int RECORD_CONNECTIONS = 1;

  /** A read takes a millisecond: so many are answered soon. */
  private static final int READS_PER_CONNECTION = 50;

  /** Connections at which callers' reads of records wait for each other, at least one. */
  public int readConnections() {
    return maxConnections / 4;
  }

  /** Reads of records that wait for those connections or have one, at the most. */
  public int readsAtOnce() {
    return readConnections() * READS_PER_CONNECTION;
  }

  /** At least two: one of them holds the instance's lock. */
  public int otherConnections() {
    return maxConnections - RECORD_CONNECTIONS - readConnections();
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "DatabaseProperties[" + url + "]";
  }
}
