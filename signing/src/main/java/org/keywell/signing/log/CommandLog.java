package org.keywell.signing.log;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import javax.sql.DataSource;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.database.CommandDatabase;
import org.keywell.signing.database.DatabaseException;

/**
 * Tells the log of operators' commands. A command does its work whether there is a log or not: it
 * may run before there is a database.
 */
public final class CommandLog {

  private CommandLog() {}

  /**
   * Tells the log of the external database that the settings name, if there is one.
   *
   * @param type of the entry
   * @param command the command's words
   * @param did what it changed, without secrets, paths and names of people; nothing is told if
   *     empty
   * @return why the log does not tell of it though it should; empty if it does, or none is kept
   */
  public static Optional<String> tell(
      KeywellProperties properties, String type, String command, Collection<String> did) {
    if (!properties.log().isKept() || did.isEmpty()) {
      return Optional.empty();
    }
    try {
      return CommandDatabase.of(properties.database())
          .flatMap(dataSource -> tell(dataSource, properties, type, command, did));
    } catch (StartRefusedException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** As above, where the database is at hand. */
  public static Optional<String> tell(
      DataSource dataSource,
      KeywellProperties properties,
      String type,
      String command,
      Collection<String> did) {
    LogTables tables = new LogTables(dataSource);
    try {
      if (tables.origin().isPresent()) {
        tables.tell(
            LogWriter.on(System::nanoTime),
            LogEntry.of(type)
                .text("command", command)
                .texts("made", did)
                .text("instance", properties.instance())
                .time("at", Instant.now()));
      }
      return Optional.empty();
    } catch (DatabaseException e) {
      return CommandDatabase.hasNoSchema(e)
          ? Optional.empty()
          : Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
