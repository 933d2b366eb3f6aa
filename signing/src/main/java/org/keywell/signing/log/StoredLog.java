package org.keywell.signing.log;

import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.keywell.tlog.TileSource;

/** The log that a database keeps, for commands: without the HSM, and only to read. Thread-safe. */
public final class StoredLog {

  private final LogTables tables;

  public StoredLog(DataSource dataSource) {
    this.tables = new LogTables(dataSource);
  }

  public boolean isKept() {
    return tables.origin().isPresent();
  }

  /** Returns the log's name; empty if none is kept. */
  public Optional<String> origin() {
    return tables.origin();
  }

  /** Whether it has this entry at this place. */
  public boolean holds(long index, byte[] entry) {
    return tables.holds(index, entry);
  }

  /** Returns the latest checkpoint, a signed note; empty before the first. */
  public Optional<byte[]> checkpoint() {
    return Optional.ofNullable(tables.head().checkpoint());
  }

  /** Returns all keys that have ever signed its checkpoints, as text (C2SP signed-note). */
  public List<String> keys() {
    return tables.keys();
  }

  public TileSource tiles() {
    return tables.tiles();
  }
}
