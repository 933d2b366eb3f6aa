package org.keywell.signing.database;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.regex.Pattern;
import org.keywell.settings.StartRefusedException;

/**
 * The names of Keywell's roles in PostgreSQL, and the SQL that gives them exactly what they need.
 * The SQL can be repeated, also by several processes at once, and sets no passwords.
 *
 * @param owner owns the tables and migrates them
 * @param service the service connects as it; it changes no table, only rows
 * @param reports reads records and counters, no key
 */
public record DatabaseRoles(String owner, String service, String reports) {

  public static final String OWNER = "keywell_owner";
  public static final String SERVICE = "keywell";
  public static final String REPORTS = "keywell_reports";

  /** Safe between the SQL's quotes; PostgreSQL would cut a longer one. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.@-]{1,63}");

  private static final String ROLES = resource("roles.sql");
  static final String GRANTS = resource("grants.sql");

  /**
   * Checks the names.
   *
   * @throws StartRefusedException if one is invalid, or two are the same
   */
  public DatabaseRoles {
    for (String name : new String[] {owner, service, reports}) {
      if (!NAME.matcher(name).matches()) {
        throw new StartRefusedException(
            "the database role '%s' is not named in letters, digits and _.@- (at most 63)"
                .formatted(name));
      }
    }
    if (owner.equals(service) || reports.equals(owner) || reports.equals(service)) {
      throw new StartRefusedException("owner, service and reports must be three database roles");
    }
  }

  /** Returns one transaction for psql. */
  public String script() {
    return "BEGIN;\n" + named(ROLES) + "\n" + named(GRANTS) + "COMMIT;\n";
  }

  /**
   * Creates the roles that are missing, makes the owner own all tables of the current schema, and
   * grants. Where nothing has to be created or to change owners, the owner may do it.
   *
   * @param connection in auto-commit mode, of a superuser or of the owner
   */
  public void create(Connection connection) throws SQLException {
    execute(connection, named(ROLES) + named(GRANTS));
  }

  /**
   * Grants what the service and, if their role exists, reports may do with each table.
   *
   * @param connection in auto-commit mode, of the owner
   */
  void grant(Connection connection) throws SQLException {
    execute(connection, named(GRANTS));
  }

  private String named(String sql) {
    return sql.replace("${owner}", owner)
        .replace("${service}", service)
        .replace("${reports}", reports);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    connection.setAutoCommit(false);
    boolean done = false;
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
      connection.commit();
      done = true;
    } finally {
      if (!done) {
        connection.rollback();
      }
      connection.setAutoCommit(true);
    }
  }

  private static String resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(DatabaseRoles.class.getResourceAsStream("/db/roles/" + name))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
