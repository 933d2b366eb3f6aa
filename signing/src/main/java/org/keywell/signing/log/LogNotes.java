package org.keywell.signing.log;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.database.DatabaseException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries about what takes effect whether the database works or not, such as a changed callers
 * file. Each is committed at once; if the database fails, it waits for {@link #retry}, and keeps
 * the time at which it took effect. Nothing is signed meanwhile, since no record could be written.
 * Bounded: of many, the latest wait. Thread-safe.
 */
public final class LogNotes {

  private static final Logger log = LoggerFactory.getLogger(LogNotes.class);

  private static final int MOST_WAITING = 100;

  private final LogWriter writer;
  private final String instance;
  private final Deque<LogEntry> waiting = new ArrayDeque<>();

  /** Null: the log does not tell of the start yet. */
  private @Nullable LogTables tables;

  /** Needs no database: files take effect before there is one. */
  LogNotes(LogWriter writer, String instance) {
    this.writer = writer;
    this.instance = instance;
  }

  /** Returns those of a service that keeps no log. */
  public static LogNotes none() {
    return new LogNotes(LogWriter.off(), "");
  }

  /** Tells which file takes effect, by its name and the SHA-256 of its content. */
  public void file(String type, String name, byte[] content) {
    add(entry(type).text("file", name).hex("sha256", sha256(content)));
  }

  /** Tells what this start has made in tokens; nothing if it has made nothing. */
  void bootstrap(Collection<String> made) {
    if (!made.isEmpty()) {
      add(entry("bootstrap").texts("made", made));
    }
  }

  private LogEntry entry(String type) {
    return LogEntry.of(type).text("instance", instance).time("at", Instant.now());
  }

  private synchronized void add(LogEntry entry) {
    if (!writer.isOn()) {
      return;
    }
    if (waiting.size() == MOST_WAITING) {
      log.error("the log lacks an entry: the database has not taken {}", MOST_WAITING);
      waiting.remove();
    }
    waiting.add(entry);
    retry();
  }

  /** Commits what waits, now that the log tells of the start. */
  synchronized void open(LogTables log) {
    tables = log;
    retry();
  }

  /** Commits what waits, if the database takes it. */
  public synchronized void retry() {
    LogTables opened = tables;
    while (opened != null && !waiting.isEmpty()) {
      try {
        opened.tell(writer, waiting.element());
        waiting.remove();
      } catch (DatabaseException e) {
        log.warn("{} entries wait for the log: {}", waiting.size(), e.getMessage());
        return;
      }
    }
  }

  private static byte[] sha256(byte[] content) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
