package org.keywell.signing.record.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.log.StoredLog;
import org.keywell.signing.record.archive.MonthTables.Count;
import org.keywell.signing.record.archive.MonthTables.Line;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the records of whole months from the database into a directory, one month after another:
 * writes them, reads them back, compares them with the log's copy up to a signed checkpoint, and
 * only then removes them. A month is in the database or in the archive, whenever this ends; the
 * next run goes on with it. For one thread.
 */
public final class Archive {

  private static final Logger log = LoggerFactory.getLogger(Archive.class);

  /** How long after its month a request's id is known at least, so that it is not signed again. */
  public static final int KNOWN_DAYS = 30;

  private static final String LOCK = "SELECT pg_try_advisory_lock(hashtext('keywell.archive'))";

  private static final String UNLOCK = "SELECT pg_advisory_unlock(hashtext('keywell.archive'))";

  private static final String RECORDS = "requests.jsonl.gz";
  private static final String CHAINS = "ca-chains.jsonl";
  private static final String SUMS = "SHA256SUMS";

  private final DataSource owner;
  private final Path directory;
  private final Progress progress;

  /**
   * @param owner hands out connections of the owner of the tables
   */
  public Archive(DataSource owner, Path directory, Progress progress) {
    this.owner = owner;
    this.directory = directory;
    this.progress = progress;
  }

  /**
   * Archives each month before the given one.
   *
   * @return how many months
   * @throws StartRefusedException if repetitions of their requests may still arrive
   * @throws ArchiveFailedException if a month cannot be archived; those before it are
   */
  public int run(YearMonth before, Instant now) throws InterruptedException {
    LocalDate today = now.atOffset(ZoneOffset.UTC).toLocalDate();
    if (before.atDay(1).plusDays(KNOWN_DAYS).isAfter(today)) {
      throw new StartRefusedException(
          "archive: %s ended less than %s days ago; ids of its requests must stay known"
              .formatted(before.minusMonths(1), KNOWN_DAYS));
    }
    try (Connection connection = owner.getConnection()) {
      lock(connection);
      try {
        return moveAll(connection, before);
      } finally {
        unlock(connection);
      }
    } catch (SQLException | IOException e) {
      throw new ArchiveFailedException("records cannot be archived: " + e.getMessage(), e);
    }
  }

  private static void lock(Connection connection) throws SQLException {
    try (Statement lock = connection.createStatement();
        ResultSet row = lock.executeQuery(LOCK)) {
      row.next();
      if (!row.getBoolean(1)) {
        throw new ArchiveFailedException("another process archives or erases records");
      }
    }
  }

  private static void unlock(Connection connection) {
    try (Statement unlock = connection.createStatement()) {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      boolean _ = unlock.execute(UNLOCK);
    } catch (SQLException e) {
      log.debug("the lock has gone with its connection", e);
    }
  }

  private int moveAll(Connection connection, YearMonth before)
      throws SQLException, IOException, InterruptedException {
    MonthTables tables = new MonthTables(connection);
    SortedMap<YearMonth, String> months = tables.months().headMap(before);
    if (!months.isEmpty()) {
      ArchivedLog copy = copyLog();
      connection.setAutoCommit(false);
      for (Map.Entry<YearMonth, String> month : months.entrySet()) {
        move(connection, tables, month, copy);
      }
    }
    return months.size();
  }

  private @Nullable ArchivedLog copyLog() throws IOException {
    StoredLog stored = new StoredLog(owner);
    return stored.isKept() ? ArchivedLog.copy(stored, directory.resolve("log"), progress) : null;
  }

  private void move(
      Connection connection,
      MonthTables tables,
      Map.Entry<YearMonth, String> month,
      @Nullable ArchivedLog copy)
      throws SQLException, IOException, InterruptedException {
    Count count = tables.count(month.getKey());
    requireEnded(month.getKey(), count);
    byte[] sha256 = export(tables, month.getKey(), count, copy);
    connection.rollback();
    Count now = tables.count(month.getKey());
    requireEnded(month.getKey(), now);
    if (now.records() != count.records()) {
      throw new ArchiveFailedException(month.getKey() + " has got records meanwhile");
    }
    tables.remove(month, count.records(), sha256);
    connection.commit();
    progress.tell(month.getKey() + ": archived and removed, " + count.records() + " records");
  }

  private static void requireEnded(YearMonth month, Count count) {
    if (count.open() > 0) {
      throw new ArchiveFailedException(
          "%s has %s requests that have not ended".formatted(month, count.open()));
    }
  }

  /** Returns the hash of the file that has the records. */
  private byte[] export(
      MonthTables tables, YearMonth month, Count count, @Nullable ArchivedLog copy)
      throws SQLException, IOException {
    Path partial = directory.resolve(month + ".partial");
    clear(partial);
    Files.createDirectories(partial);
    RecordLines lines = new RecordLines(partial.resolve(RECORDS));
    try (lines) {
      tables.read(
          month,
          copy == null ? 0 : copy.size(),
          line -> {
            requireInLog(line, copy);
            lines.add(line.json());
            progress.reached(month.toString(), "records", lines.lines(), count.records());
          });
    }
    if (lines.lines() != count.records()) {
      throw new ArchiveFailedException(month + " has got records meanwhile");
    }
    byte[] sha256 = lines.verified();
    WholeFile.write(partial.resolve(CHAINS), tables.chains().getBytes(StandardCharsets.UTF_8));
    if (copy != null) {
      WholeFile.write(partial.resolve("checkpoint"), copy.note());
    }
    String sums = HexFormat.of().formatHex(sha256) + "  " + RECORDS + "\n";
    WholeFile.write(partial.resolve(SUMS), sums.getBytes(StandardCharsets.UTF_8));
    finish(partial, directory.resolve(month.toString()), sums);
    return sha256;
  }

  /** What the log says about the request must be what its record says. */
  private static void requireInLog(Line line, @Nullable ArchivedLog copy) throws IOException {
    if (copy == null || (line.index() == null && !line.logged())) {
      return;
    }
    String entry = line.index() == null ? "" : copy.entry(line.index());
    if (!entry.contains("\"request\":\"" + line.requestId() + "\"")
        || !entry.contains("\"status\":\"" + line.status() + "\"")
        || (line.certificateSha256() != null
            && !entry.contains("\"certificateSha256\":\"" + line.certificateSha256() + "\""))) {
      throw new ArchiveFailedException(
          "the log does not say of request %s what its record says".formatted(line.requestId()));
    }
  }

  /** An earlier run may have ended before it removed the records. */
  private void finish(Path partial, Path month, String sums) throws IOException {
    if (Files.exists(month)) {
      Path earlier = month.resolve(SUMS);
      if (!Files.exists(earlier) || !Files.readString(earlier).equals(sums)) {
        throw new ArchiveFailedException(
            month + " is there already, with other content than the database has");
      }
      clear(month);
    }
    WholeFile.sync(partial);
    Files.move(partial, month, StandardCopyOption.ATOMIC_MOVE);
    WholeFile.sync(directory);
  }

  private static void clear(Path flat) throws IOException {
    if (Files.isDirectory(flat)) {
      try (Stream<Path> files = Files.list(flat)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(flat);
    }
  }
}
