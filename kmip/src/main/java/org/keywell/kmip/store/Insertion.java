package org.keywell.kmip.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.keywell.keypool.store.Giving;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.Material;

/**
 * The statement that adds objects, all or none: one round trip, with their entries in the log and
 * the end of a claim.
 *
 * @param giving of the pair's key, if it comes from the pool; without it, nothing is added
 */
record Insertion(List<ManagedObject> objects, Optional<Giving> giving) {

  private static final String ROW =
      "(?::uuid, ?::text, ?::smallint, ?::smallint, ?::bytea, ?::text, ?::bytea, ?::bytea,"
          + " ?::bigint[], coalesce(to_timestamp(?::bigint), clock_timestamp()))";

  String sql() {
    return """
    WITH %sstored AS (
      INSERT INTO managed_object (id, owner, object_type, state, attributes, wrapping_key_id,
        material, public_half, search, initial_date)
      SELECT o.* FROM (VALUES %s) AS o%s
      RETURNING id, owner, object_type),
    %s
    SELECT count(*) FROM stored
    """
        .formatted(
            giving.isPresent() ? Giving.EXPRESSIONS + ",\n" : "",
            String.join(", ", Collections.nCopies(objects.size(), ROW)),
            giving.isPresent() ? " WHERE EXISTS (SELECT FROM ended)" : "",
            ObjectStore.told("stored"));
  }

  /**
   * Runs the statement.
   *
   * @return false if nothing was added, since another instance has forfeited the key
   */
  boolean run(PreparedStatement statement, String instance, String operation) throws SQLException {
    int next = giving.isPresent() ? giving.get().set(statement) : 1;
    for (ManagedObject object : objects) {
      next = set(statement, next, object);
    }
    statement.setString(next, instance);
    statement.setString(next + 1, operation);
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1) > 0;
    }
  }

  private static int set(PreparedStatement statement, int first, ManagedObject object)
      throws SQLException {
    statement.setObject(first, object.id());
    statement.setString(first + 1, object.owner());
    statement.setInt(first + 2, object.type().value());
    statement.setInt(first + 3, object.state().value());
    statement.setBytes(first + 4, object.attributes().encode());
    statement.setString(
        first + 5, object.material() instanceof Material.Wrapped w ? w.wrappingKeyId() : null);
    statement.setBytes(
        first + 6,
        switch (object.material()) {
          case Material.Wrapped wrapped -> wrapped.blob();
          case Material.Plain plain -> plain.encoded();
          case null -> null;
        });
    statement.setBytes(
        first + 7, object.material() instanceof Material.Wrapped w ? w.publicHalf() : null);
    statement.setArray(
        first + 8, Search.terms(statement.getConnection(), object.attributes().all()));
    statement.setObject(first + 9, Search.initialDate(object.attributes()));
    return first + 10;
  }
}
