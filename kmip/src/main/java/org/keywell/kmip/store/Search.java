package org.keywell.kmip.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.LocateQuery;
import org.keywell.kmip.object.LocateQuery.DateRange;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.ObjectType;
import org.keywell.kmip.object.State;
import org.keywell.kmip.ttlv.Value;

/**
 * Looks for objects. The database leaves out what it can tell by its indexes; each row that it
 * returns is compared with all conditions.
 */
final class Search {

  private static final int BATCH = 500;

  private static final AttributeName INITIAL_DATE = Attributes.named("Initial Date");

  /** 9999-12-31T23:59:59Z, within what PostgreSQL can store. */
  private static final long LATEST = 253_402_300_799L;

  private final int mostLookedAt;

  Search(int mostLookedAt) {
    if (mostLookedAt < 1) {
      throw new IllegalArgumentException("a search looks at one object at least");
    }
    this.mostLookedAt = mostLookedAt;
  }

  static Array terms(Connection connection, Collection<AttributeValue> attributes)
      throws SQLException {
    return connection.createArrayOf("bigint", SearchTerms.of(attributes));
  }

  /** Returns the value of {@code initial_date}, in seconds; null if the object does not have it. */
  static @Nullable Long initialDate(Attributes attributes) {
    return attributes.first(INITIAL_DATE) instanceof Value.DateTime(long seconds)
        ? (Long) storable(seconds)
        : null;
  }

  /** Keeps the order, so that a range of dates has no row less than it should. */
  private static long storable(long seconds) {
    return Math.clamp(seconds, 0, LATEST);
  }

  /** Searches within the connection's transaction. */
  List<UUID> locate(Connection connection, String owner, LocateQuery query) throws SQLException {
    if (query.limit() == 0) {
      return List.of();
    }
    List<Object> parameters = new ArrayList<>();
    String sql = sql(connection, owner, query, parameters);
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.size(); i++) {
        statement.setObject(i + 1, parameters.get(i));
      }
      statement.setFetchSize(BATCH);
      try (ResultSet rows = statement.executeQuery()) {
        return matching(rows, query);
      }
    }
  }

  private static String sql(
      Connection connection, String owner, LocateQuery query, List<Object> parameters)
      throws SQLException {
    Array terms = terms(connection, query.values());
    boolean byTerms = ((Object[]) terms.getArray()).length > 0;
    StringBuilder sql =
        new StringBuilder("SELECT id, object_type, state, attributes FROM managed_object WHERE ");
    if (byTerms) {
      // The owner as an expression: a table that is taken for nearly empty would be searched by
      // the index of its newest objects, through all of them.
      sql.append("owned_terms(owner, search) @> owned_terms(?, ?) AND owner || '' = ?");
      parameters.addAll(List.of(owner, terms, owner));
    } else {
      sql.append("owner = ?");
      parameters.add(owner);
    }
    ObjectType type = query.type();
    if (type != null) {
      sql.append(" AND object_type = ?");
      parameters.add(type.value());
    }
    if (!query.states().isEmpty()) {
      sql.append(" AND state = ANY (?)");
      Object[] states = query.states().stream().map(State::value).toArray();
      parameters.add(connection.createArrayOf("smallint", states));
    }
    for (DateRange range : query.dates()) {
      if (range.name().equals(INITIAL_DATE)) {
        sql.append(" AND initial_date BETWEEN to_timestamp(?) AND to_timestamp(?)");
        parameters.add(storable(range.from()));
        parameters.add(storable(range.to()));
      }
    }
    return sql.append(" ORDER BY initial_date DESC, number DESC").toString();
  }

  private List<UUID> matching(ResultSet rows, LocateQuery query) throws SQLException {
    List<UUID> found = new ArrayList<>();
    int skipped = 0;
    for (int lookedAt = 0; found.size() < query.limit() && rows.next(); lookedAt++) {
      if (lookedAt == mostLookedAt) {
        throw new KmipException(
            "ServerLimitExceeded",
            "more than %s objects would have to be looked at".formatted(mostLookedAt));
      }
      UUID id = rows.getObject("id", UUID.class);
      if (!matches(rows, id, query)) {
        continue;
      }
      if (skipped < query.offset()) {
        skipped++;
      } else {
        found.add(id);
      }
    }
    return found;
  }

  private static boolean matches(ResultSet row, UUID id, LocateQuery query) throws SQLException {
    ObjectType type = Rows.type(row);
    State state = Rows.state(row);
    return query.matches(
        type, state, ManagedObject.described(id, type, state, Rows.attributes(row)));
  }
}
