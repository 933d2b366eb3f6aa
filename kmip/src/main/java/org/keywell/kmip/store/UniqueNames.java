package org.keywell.kmip.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.LocateQuery;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.State;

/**
 * Keeps names unique among an owner's objects (KMIP, section "Name"). Those of destroyed objects
 * are free, and the halves of a pair that one request makes may share one.
 */
record UniqueNames(Search search) {

  private static final AttributeName NAME = Attributes.named("Name");

  /** The owner's other writers wait, from here to the end of the transaction. */
  private static final String LOCK =
      "SELECT pg_advisory_xact_lock(hashtextextended('keywell.managed-names:' || ?, 0))";

  private static final Set<State> LIVE =
      EnumSet.allOf(State.class).stream()
          .filter(state -> !state.isDestroyed())
          .collect(Collectors.toUnmodifiableSet());

  static boolean hasName(ManagedObject object) {
    return !object.state().isDestroyed() && !object.attributes().get(NAME).isEmpty();
  }

  /** Requires that the names of new objects, which are written already, are no other's. */
  void requireFree(Connection connection, List<ManagedObject> written) throws SQLException {
    for (String owner :
        written.stream()
            .filter(UniqueNames::hasName)
            .map(ManagedObject::owner)
            .collect(Collectors.toSet())) {
      lock(connection, owner);
    }
    List<UUID> ids = written.stream().map(ManagedObject::id).toList();
    for (ManagedObject object : written) {
      if (hasName(object)) {
        requireFree(connection, object, object.attributes().get(NAME), ids);
      }
    }
  }

  /** Requires that the names that a change gave an object, which is written already, are free. */
  void requireFree(Connection connection, ManagedObject before, ManagedObject after)
      throws SQLException {
    List<AttributeValue> added =
        after.attributes().get(NAME).stream()
            .filter(each -> !before.attributes().contains(NAME, each.value()))
            .toList();
    if (hasName(after) && !added.isEmpty()) {
      lock(connection, after.owner());
      requireFree(connection, after, added, List.of(after.id()));
    }
  }

  private void requireFree(
      Connection connection, ManagedObject object, List<AttributeValue> names, List<UUID> own)
      throws SQLException {
    for (AttributeValue each : names) {
      var query = new LocateQuery(null, LIVE, List.of(each), List.of(), 0, own.size() + 1);
      if (!own.containsAll(search.locate(connection, object.owner(), query))) {
        throw new KmipException("NonUniqueNameAttribute", "another object has this Name");
      }
    }
  }

  private static void lock(Connection connection, String owner) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
      statement.setString(1, owner);
      try (ResultSet locked = statement.executeQuery()) {
        locked.next();
      }
    }
  }
}
