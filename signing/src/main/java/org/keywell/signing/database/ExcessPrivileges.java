package org.keywell.signing.database;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Warns at the start if the service's role may do more in the database than the service does:
 * whoever has its password, or makes it send a statement, may then do that, too.
 */
final class ExcessPrivileges implements SmartInitializingSingleton {

  private static final Logger log = LoggerFactory.getLogger(ExcessPrivileges.class);

  private static final String FIND =
      """
      WITH tables AS (
        SELECT c.oid, c.relname AS name, c.relowner FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')),
      granted AS (SELECT * FROM unnest(?, ?) AS g (name, privilege)),
      beyond AS (
        SELECT p.privilege, string_agg(t.name, ', ' ORDER BY t.name) AS names
        FROM tables t, unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS p (privilege)
        WHERE t.name = ANY (?) AND has_table_privilege(t.oid, p.privilege)
          AND (t.name, p.privilege) NOT IN (SELECT name, privilege FROM granted)
        GROUP BY 1),
      excess AS (
        SELECT 1 AS rank, 'is a superuser' AS what FROM pg_roles
        WHERE rolname = current_user AND rolsuper
        UNION ALL
        SELECT 2, 'owns tables' FROM tables
        WHERE pg_has_role(current_user, relowner, 'USAGE') HAVING count(*) > 0
        UNION ALL
        SELECT 3, 'may create tables' WHERE has_schema_privilege(current_schema(), 'CREATE')
        UNION ALL
        SELECT 4, 'may ' || privilege || ' ' || names FROM beyond)
      SELECT current_user, string_agg(what, '; ' ORDER BY rank, what) FROM excess
      WHERE rank > 2 AND NOT EXISTS (SELECT FROM excess WHERE rank <= 2)
        OR rank = (SELECT min(rank) FROM excess)
      HAVING count(*) > 0
      """;

  private final DataSource dataSource;

  /**
   * @param dataSource hands out connections of the service's role
   */
  ExcessPrivileges(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public void afterSingletonsInstantiated() {
    try {
      find()
          .ifPresent(excess ->
              log.warn(
                  "the database role {}: more than the service needs; ./keywell database-roles"
                      + " creates one with less (docs/operations/database-and-backup.md)",
                  excess));
    } catch (SQLException e) {
      log.debug("the privileges of the database role are not known", e);
    }
  }

  /** Returns the role and what it may do without need. A superuser or owner may do everything. */
  Optional<String> find() throws SQLException {
    List<TableGrant> grants = TableGrant.all();
    List<TableGrant> each =
        grants.stream()
            .flatMap(grant ->
                grant.serviceOnWholeTable().stream()
                    .map(privilege -> new TableGrant(grant.table(), privilege, "")))
            .toList();
    try (Connection connection = dataSource.getConnection();
        PreparedStatement find = connection.prepareStatement(FIND)) {
      find.setArray(1, texts(connection, each.stream().map(TableGrant::table).toArray()));
      find.setArray(2, texts(connection, each.stream().map(TableGrant::service).toArray()));
      find.setArray(3, texts(connection, grants.stream().map(TableGrant::table).toArray()));
      try (ResultSet row = find.executeQuery()) {
        return row.next()
            ? Optional.of(row.getString(1) + " " + row.getString(2))
            : Optional.empty();
      }
    }
  }

  private static Array texts(Connection connection, Object[] texts) throws SQLException {
    return connection.createArrayOf("text", texts);
  }
}
