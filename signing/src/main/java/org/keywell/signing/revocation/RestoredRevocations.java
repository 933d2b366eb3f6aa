package org.keywell.signing.revocation;

import java.math.BigInteger;
import java.time.Instant;
import javax.sql.DataSource;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.Revocation;
import org.keywell.signing.log.LogEntry;
import org.keywell.signing.log.LogWriter;

/**
 * Revocations that a restored database has lost, for commands. Thread-safe. Each method throws
 * {@link org.keywell.signing.database.DatabaseException} if the database fails.
 */
public final class RestoredRevocations {

  private final RevocationTable table;
  private final String instance;

  /**
   * @param dataSource of a database that keeps a log
   * @param instance names this one in the log
   */
  public RestoredRevocations(DataSource dataSource, String instance) {
    this.table = new RevocationTable(dataSource, LogWriter.on(System::nanoTime));
    this.instance = instance;
  }

  /** Whether the certificate is revoked. */
  public boolean has(CrlShard list, BigInteger serial) {
    return table.find(list, serial).isPresent();
  }

  /**
   * Puts a revocation back, with its first time and an entry in the log, unless it is there by now.
   *
   * @param by the caller who revoked the certificate
   * @param now is in the entry, beside the first time
   */
  public void add(CrlShard list, Revocation revocation, String by, Instant now) {
    Revocation _ =
        table.add(
            list,
            revocation,
            by,
            LogEntry.of("revocation")
                .text("instance", instance)
                .time("at", revocation.at())
                .time("reapplied", now)
                .text("caller", by)
                .text("list", list.path())
                .text("serial", revocation.serial().toString(16))
                .text("reason", revocation.reason().label()));
  }
}
