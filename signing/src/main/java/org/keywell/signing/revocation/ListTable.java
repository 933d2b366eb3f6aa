package org.keywell.signing.revocation;

import java.math.BigInteger;
import java.net.URI;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.Revocation;
import org.keywell.signing.database.DatabaseException;

/**
 * The lists of revoked certificates, as they were last signed. One instance at a time makes a list;
 * all serve it. Thread-safe. Each method throws {@link DatabaseException} if the database fails.
 */
final class ListTable {

  /** Does not touch a row that says the same already: another instance may have locked it. */
  private static final String ENSURE =
      """
      INSERT INTO published_list AS l (issuer, name, addresses, retires)
      SELECT * FROM (VALUES (?::text, ?::text, ARRAY[?::text], ?::timestamptz)) AS wanted (issuer, name, addresses, retires)
      WHERE NOT EXISTS (
        SELECT FROM published_list AS known
        WHERE known.issuer = wanted.issuer AND known.name = wanted.name
          AND known.retires >= wanted.retires AND known.addresses @> wanted.addresses)
      ON CONFLICT (issuer, name) DO UPDATE
        SET retires = greatest(l.retires, EXCLUDED.retires),
          addresses = CASE WHEN l.addresses @> EXCLUDED.addresses THEN l.addresses
            ELSE l.addresses || EXCLUDED.addresses END,
          revocations = CASE WHEN l.addresses @> EXCLUDED.addresses THEN l.revocations ELSE -1 END
      """;

  private static final String IS_DUE =
      """
       retires > ? AND (crl IS NULL OR this_update + (next_update - this_update) / 2 <= ?
        OR (name = ANY (?) AND this_update <= ?)
        OR revocations <> (SELECT count(*) FROM revoked_certificate r
          WHERE r.issuer = l.issuer AND r.list = l.name))
      """;

  private static final String DUE =
      "SELECT issuer, name FROM published_list l WHERE issuer = ANY (?) AND" + IS_DUE;

  /** An instance that makes it is left to it. */
  private static final String TAKE =
      "SELECT addresses, number FROM published_list l WHERE issuer = ? AND name = ? AND"
          + IS_DUE
          + "FOR UPDATE SKIP LOCKED";

  private static final String PUBLISH =
      """
      UPDATE published_list SET number = ?, this_update = ?, next_update = ?, revocations = ?,
        crl = ?
      WHERE issuer = ? AND name = ?
      """;

  private static final String FIND =
      """
      SELECT number, this_update, next_update, crl FROM published_list
      WHERE issuer = ? AND name = ? AND crl IS NOT NULL
      """;

  private static final String RETIRE = "DELETE FROM published_list WHERE retires <= ?";

  /** Of signers' certificates: those of days begin with a digit. */
  private static final String NEWEST =
      "SELECT max(name) FROM published_list WHERE issuer = ? AND name ~ '^[0-9]'";

  private static final String UNLISTED =
      """
      SELECT DISTINCT r.issuer, r.list FROM revoked_certificate r
      WHERE r.issuer = ANY (?) AND r.list ~ '^[0-9]' AND r.list >= ? AND NOT EXISTS (
        SELECT FROM published_list l WHERE l.issuer = r.issuer AND l.name = r.list)
      """;

  private static final String NEXT_UPDATE =
      "SELECT min(next_update) FROM published_list WHERE issuer = ANY (?)";

  private final DataSource dataSource;

  ListTable(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Makes sure that there will be a list.
   *
   * @param address as certificates name it from now on
   * @param retires when the last of them expires, at the earliest
   */
  void ensure(CrlShard shard, URI address, Instant retires) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(ENSURE)) {
      statement.setString(1, shard.issuer());
      statement.setString(2, shard.name());
      statement.setString(3, address.toString());
      statement.setObject(4, utc(retires));
      int _ = statement.executeUpdate();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Returns the last day of an issuer's certificates for which there is or will be a list. */
  Optional<LocalDate> newest(String issuer) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(NEWEST)) {
      statement.setString(1, issuer);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return Optional.ofNullable(row.getString(1)).map(LocalDate::parse);
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /**
   * Returns lists of days, from one on, that have revocations of these issuers and are not to be
   * made.
   */
  List<CrlShard> unlisted(Collection<String> issuers, LocalDate from) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(UNLISTED)) {
      statement.setArray(1, connection.createArrayOf("text", issuers.toArray()));
      statement.setString(2, from.toString());
      return shards(statement);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static List<CrlShard> shards(PreparedStatement statement) throws SQLException {
    List<CrlShard> shards = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        shards.add(new CrlShard(rows.getString(1), rows.getString(2)));
      }
    }
    return shards;
  }

  /**
   * When lists are made again though nothing is to be added.
   *
   * @param growing names of the lists that get more certificates
   * @param since those of before have to be made again
   */
  record Age(Instant now, Collection<String> growing, Instant since) {

    private void bind(Connection connection, PreparedStatement statement, int first)
        throws SQLException {
      statement.setObject(first, utc(now));
      statement.setObject(first + 1, utc(now));
      statement.setArray(first + 2, connection.createArrayOf("text", growing.toArray()));
      statement.setObject(first + 3, utc(since));
    }
  }

  /** Returns the lists of these issuers that have to be made now. */
  List<CrlShard> due(Collection<String> issuers, Age age) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(DUE)) {
      statement.setArray(1, connection.createArrayOf("text", issuers.toArray()));
      age.bind(connection, statement, 2);
      return shards(statement);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /**
   * What a list that is due has to say.
   *
   * @param number larger than that of any before, even of one that a restored database has
   *     forgotten: its second in milliseconds, or one more than the last
   */
  record Draft(List<URI> addresses, BigInteger number, List<Revocation> revocations) {}

  /**
   * Makes a list, unless another instance does or has done so.
   *
   * @param sign makes the list; its row is locked meanwhile
   * @return why it could not be signed; empty if it needs nothing more
   */
  Optional<String> make(
      CrlShard shard, Age age, Instant nextUpdate, Function<Draft, ListAnswer> sign) {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        Optional<Draft> draft = take(connection, shard, age);
        if (draft.isEmpty()) {
          return Optional.empty();
        }
        return switch (sign.apply(draft.get())) {
          case ListAnswer.NotSigned(String detail) -> Optional.of(detail);
          case ListAnswer.Signed(byte[] crl) -> {
            publish(connection, shard, draft.get(), age.now(), nextUpdate, crl);
            connection.commit();
            yield Optional.empty();
          }
        };
      } finally {
        // After a commit there is nothing left to roll back.
        connection.rollback();
        connection.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static Optional<Draft> take(Connection connection, CrlShard shard, Age age)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE)) {
      statement.setString(1, shard.issuer());
      statement.setString(2, shard.name());
      age.bind(connection, statement, 3);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Draft(
                    addresses(row.getArray(1)),
                    BigInteger.valueOf(Math.max(row.getLong(2) + 1, age.now().toEpochMilli())),
                    RevocationTable.of(shard, connection)))
            : Optional.empty();
      }
    }
  }

  private static List<URI> addresses(Array texts) throws SQLException {
    return Arrays.stream((String[]) texts.getArray()).map(URI::create).toList();
  }

  private static void publish(
      Connection connection,
      CrlShard shard,
      Draft draft,
      Instant thisUpdate,
      Instant nextUpdate,
      byte[] crl)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PUBLISH)) {
      statement.setLong(1, draft.number().longValueExact());
      statement.setObject(2, utc(thisUpdate));
      statement.setObject(3, utc(nextUpdate));
      statement.setLong(4, draft.revocations().size());
      statement.setBytes(5, crl);
      statement.setString(6, shard.issuer());
      statement.setString(7, shard.name());
      int _ = statement.executeUpdate();
    }
  }

  /** Returns a list as it was last made. */
  Optional<PublishedList> find(CrlShard shard) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(FIND)) {
      statement.setString(1, shard.issuer());
      statement.setString(2, shard.name());
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(
                new PublishedList(
                    row.getLong(1),
                    row.getObject(2, OffsetDateTime.class).toInstant(),
                    row.getObject(3, OffsetDateTime.class).toInstant(),
                    row.getBytes(4)))
            : Optional.empty();
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Removes lists whose certificates have all expired. */
  void retire(Instant now) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(RETIRE)) {
      statement.setObject(1, utc(now));
      int _ = statement.executeUpdate();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Returns when the first list of these issuers is out of date; empty if there is none. */
  Optional<Instant> nextUpdate(Collection<String> issuers) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(NEXT_UPDATE)) {
      statement.setArray(1, connection.createArrayOf("text", issuers.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return Optional.ofNullable(row.getObject(1, OffsetDateTime.class))
            .map(OffsetDateTime::toInstant);
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static OffsetDateTime utc(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  private static DatabaseException failed(SQLException e) {
    return new DatabaseException("lists cannot be read or written: " + e.getMessage(), e);
  }
}
