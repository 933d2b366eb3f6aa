package org.keywell.kmip.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.keywell.keypool.store.Giving;
import org.keywell.keypool.store.StoreException;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.LocateQuery;
import org.keywell.kmip.object.ManagedObject;

/**
 * Keeps managed objects in PostgreSQL, with an entry in the log, if there is one, for everything
 * that is done to them. Thread-safe. All methods throw {@link StoreException} if the database
 * fails; whether a write took effect is then unknown.
 */
public final class ObjectStore {

  /** How many objects one search looks at. */
  public static final int MOST_LOOKED_AT = 100_000;

  // An expression, so that no index of the owner is used, whatever the table is taken for.
  private static final String FIND =
      "SELECT %s FROM managed_object WHERE id = ? AND owner || '' = ?".formatted(Rows.COLUMNS);

  private static final String USE =
      "WITH found AS (%s), %s SELECT * FROM found".formatted(FIND, told("found"));

  private static final String LOCK = FIND + " FOR UPDATE";

  private static final String CHANGE =
      """
      WITH changed AS (
        UPDATE managed_object SET state = ?, attributes = ?, search = ?,
          material = CASE WHEN ? THEN NULL ELSE material END, changed_at = clock_timestamp()
        WHERE id = ?
        RETURNING id, owner, object_type),
      %s
      SELECT FROM changed
      """
          .formatted(told("changed"));

  private final DataSource dataSource;
  private final String instance;
  private final Search search;
  private final UniqueNames names;

  /**
   * @param dataSource hands out connections in auto-commit mode, with {@code synchronous_commit} on
   * @param instance names this instance of the service in the log
   */
  public ObjectStore(DataSource dataSource, String instance) {
    this(dataSource, instance, MOST_LOOKED_AT);
  }

  /**
   * As {@link #ObjectStore(DataSource, String)}.
   *
   * @param mostLookedAt how many objects a {@link #locate} looks at before it gives up
   */
  public ObjectStore(DataSource dataSource, String instance, int mostLookedAt) {
    this.dataSource = dataSource;
    this.instance = instance;
    this.search = new Search(mostLookedAt);
    this.names = new UniqueNames(search);
  }

  /**
   * Returns a common table expression that logs what is done to objects; its parameters are the
   * instance and the operation. Nothing is logged while the database keeps no log.
   *
   * @param objects a table of their ids, owners and types
   */
  static String told(String objects) {
    return """
    told AS (
      INSERT INTO log_pending (entry)
      SELECT log_of_managed(?, owner, object_type, id, ?) FROM %s
      WHERE EXISTS (SELECT FROM log_tree))\
    """
        .formatted(objects);
  }

  /**
   * Adds objects: all, with what is written beside them, or none.
   *
   * @param operation for the log, like {@code Create}
   * @param also written in the same transaction, after the objects
   * @throws KmipException if another object of their owner has one of their names
   */
  public void insert(String operation, List<ManagedObject> objects, InTransaction also) {
    boolean _ = insert(operation, new Insertion(objects, Optional.empty()), also);
  }

  /**
   * As {@link #insert(String, List, InTransaction)}, and ends the claim of the key that they are
   * made of.
   *
   * @return false if the claim had ended: the key is not this instance's, and nothing was written
   */
  public boolean insert(
      String operation, List<ManagedObject> objects, Giving giving, InTransaction also) {
    return insert(operation, new Insertion(objects, Optional.of(giving)), also);
  }

  private boolean insert(String operation, Insertion insertion, InTransaction also) {
    List<ManagedObject> objects = insertion.objects();
    InTransaction unique = connection -> names.requireFree(connection, objects);
    boolean named = objects.stream().anyMatch(UniqueNames::hasName);
    return Transaction.first(
        dataSource,
        "add objects",
        connection -> {
          try (PreparedStatement statement = connection.prepareStatement(insertion.sql())) {
            return insertion.run(statement, instance, operation);
          }
        },
        named ? also.and(unique) : also);
  }

  /**
   * Returns an object.
   *
   * @throws KmipException if this owner has none of this id
   */
  public ManagedObject require(String owner, UUID id) {
    return find(FIND, id, owner);
  }

  /**
   * Returns an object and logs that it is used.
   *
   * @param operation for the log, like {@code Get}
   * @throws KmipException if this owner has none of this id; nothing is logged
   */
  public ManagedObject use(String operation, String owner, UUID id) {
    return find(USE, id, owner, instance, operation);
  }

  private ManagedObject find(String sql, Object... parameters) {
    return Transaction.single(
        dataSource, "read an object", sql, statement -> only(statement, parameters));
  }

  /**
   * Changes an object's state and attributes, or destroys it. Nobody else changes it meanwhile.
   *
   * @param operation for the log, like {@code Revoke}
   * @param change gets the object as it is and returns it as it is to be; what it throws leaves
   *     everything as it was
   * @return the changed object
   * @throws KmipException if this owner has none of this id, or another object with a new name
   */
  public ManagedObject change(
      String operation, String owner, UUID id, UnaryOperator<ManagedObject> change) {
    return Transaction.run(
        dataSource,
        "change an object",
        connection -> change(connection, operation, owner, id, change));
  }

  /** As above, in the transaction of something else, at whose end others may change it again. */
  public ManagedObject change(
      Connection connection,
      String operation,
      String owner,
      UUID id,
      UnaryOperator<ManagedObject> change)
      throws SQLException {
    ManagedObject before;
    try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
      before = only(statement, id, owner);
    }
    ManagedObject after = change.apply(before);
    requireSame(before, after);
    write(connection, operation, after);
    names.requireFree(connection, before, after);
    return after;
  }

  private static void requireSame(ManagedObject before, ManagedObject after) {
    boolean sameMaterial = after.material() == null || after.material().equals(before.material());
    if (!after.id().equals(before.id())
        || !after.owner().equals(before.owner())
        || after.type() != before.type()
        || !sameMaterial) {
      throw new IllegalArgumentException("only state and attributes of an object change");
    }
  }

  private void write(Connection connection, String operation, ManagedObject object)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(CHANGE)) {
      statement.setInt(1, object.state().value());
      statement.setBytes(2, object.attributes().encode());
      statement.setArray(3, Search.terms(connection, object.attributes().all()));
      statement.setBoolean(4, object.material() == null);
      statement.setObject(5, object.id());
      statement.setString(6, instance);
      statement.setString(7, operation);
      statement.execute();
    }
  }

  /**
   * Returns the ids of an owner's objects that a query finds, the newest first. Nothing is logged.
   *
   * @throws KmipException if too many would have to be looked at
   */
  public List<UUID> locate(String owner, LocateQuery query) {
    return Transaction.run(
        dataSource, "locate objects", connection -> search.locate(connection, owner, query));
  }

  private static ManagedObject only(PreparedStatement statement, Object... parameters)
      throws SQLException {
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    try (ResultSet row = statement.executeQuery()) {
      return Rows.only(row);
    }
  }
}
