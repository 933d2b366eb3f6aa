package org.keywell.signing.log;

import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.keywell.signing.database.DatabaseException;

/**
 * What witnesses have cosigned, and which instance asks them. Thread-safe. Each method throws
 * {@link DatabaseException} if the database fails.
 */
final class CosignedTables {

  // A clock that was set back must not stop the rounds.
  private static final String BEGIN_ROUND =
      """
      INSERT INTO log_witness_round (the_only, begun) VALUES (true, clock_timestamp())
      ON CONFLICT (the_only) DO UPDATE SET begun = excluded.begun
      WHERE log_witness_round.begun NOT BETWEEN
          excluded.begun - make_interval(secs => ? / 1000.0) AND excluded.begun
      """;

  private static final String KEEP =
      """
      INSERT INTO log_cosigned (cosignatures, size, checkpoint)
      SELECT n, ?, ? FROM generate_series(1, ?) AS n
      ON CONFLICT (cosignatures) DO UPDATE
      SET size = excluded.size, checkpoint = excluded.checkpoint
      WHERE log_cosigned.size <= excluded.size
      """;

  private static final String REACHED =
      """
      INSERT INTO log_witness (verifier_key, size) VALUES (?, ?)
      ON CONFLICT (verifier_key) DO UPDATE
      SET size = excluded.size, cosigned = clock_timestamp()
      """;

  private static final String CHECKPOINTS =
      """
      SELECT cosignatures, size, checkpoint FROM log_cosigned
      ORDER BY size DESC, cosignatures DESC
      """;

  private static final String SIZES = "SELECT verifier_key, size FROM log_witness";

  private final LogDatabase database;

  /**
   * A checkpoint that is kept.
   *
   * @param cosignatures the number that it has at least
   * @param checkpoint the signed note
   */
  record Cosigned(int cosignatures, long size, byte[] checkpoint) {}

  CosignedTables(DataSource dataSource) {
    this.database = new LogDatabase(dataSource);
  }

  /** Whether this instance may ask the witnesses now: none has done so for that long. */
  boolean beginRound(Duration pace) {
    return database.with(
        "cosigned",
        BEGIN_ROUND,
        begin -> {
          begin.setLong(1, pace.toMillis());
          return begin.executeUpdate() == 1;
        });
  }

  /** Keeps a checkpoint with its cosignatures, unless larger ones have as many. */
  void keep(Cosigned cosigned) {
    int _ =
        database.with(
            "cosigned",
            KEEP,
            keep -> {
              keep.setLong(1, cosigned.size());
              keep.setBytes(2, cosigned.checkpoint());
              keep.setInt(3, cosigned.cosignatures());
              return keep.executeUpdate();
            });
  }

  /** Notes that a witness has cosigned a checkpoint of this size. */
  void reached(String verifierKey, long size) {
    int _ =
        database.with(
            "cosigned",
            REACHED,
            reached -> {
              reached.setString(1, verifierKey);
              reached.setLong(2, size);
              return reached.executeUpdate();
            });
  }

  /** Returns the checkpoints, largest first; of the same size, that with most cosignatures. */
  List<Cosigned> checkpoints() {
    return database.with(
        "read",
        CHECKPOINTS,
        read -> {
          List<Cosigned> all = new ArrayList<>();
          try (ResultSet row = read.executeQuery()) {
            while (row.next()) {
              all.add(new Cosigned(row.getInt(1), row.getLong(2), row.getBytes(3)));
            }
          }
          return all;
        });
  }

  /** Returns the size that each witness has cosigned last, by its verifier key. */
  Map<String, Long> sizes() {
    return database.with(
        "read",
        SIZES,
        read -> {
          Map<String, Long> sizes = new HashMap<>();
          try (ResultSet row = read.executeQuery()) {
            while (row.next()) {
              sizes.put(row.getString(1), row.getLong(2));
            }
          }
          return sizes;
        });
  }
}
