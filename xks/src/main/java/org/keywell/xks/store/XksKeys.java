package org.keywell.xks.store;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.keywell.keypool.hsm.pkcs11.TokenAesKey;
import org.keywell.keypool.store.StoreException;

/**
 * The keys, in PostgreSQL: what is changed there counts for the next request at every instance.
 * Thread-safe. All methods throw {@link StoreException} if the database fails.
 */
public final class XksKeys {

  private static final String COLUMNS =
      "name, token_id, key_check, can_encrypt, can_decrypt, state";

  /**
   * The use is in the log before the key is used, and whether it was refused. What the client says
   * stays outside, where it can be erased.
   */
  private static final String USE =
      """
      WITH found AS (SELECT %s FROM xks_key WHERE name = ? AND state <> 'destroyed'),
      client AS (
        SELECT ?::bytea AS salt, ?::text AS principal, ?::text AS kms_key, ?::text AS kms_operation,
          ?::text AS kms_request
        FROM found WHERE EXISTS (SELECT FROM log_tree)),
      kept AS (
        INSERT INTO xks_use (salt, principal, kms_key, kms_operation, kms_request)
        SELECT * FROM client),
      logged AS (
        INSERT INTO log_pending (entry)
        SELECT log_of_xks_use(?, ?, name, ?,
          xks_client(salt, principal, kms_key, kms_operation, kms_request), CASE
          WHEN NOT ? THEN NULL
          WHEN state = 'disabled' THEN 'InvalidStateException'
          WHEN (? AND NOT can_encrypt) OR (? AND NOT can_decrypt) THEN 'InvalidKeyUsageException'
          END)
        FROM found, client)
      SELECT * FROM found
      """
          .formatted(COLUMNS);

  private static final String INTEND =
      """
      INSERT INTO xks_key_intent (name, token_id)
      SELECT ?, ? WHERE NOT EXISTS (SELECT FROM xks_key WHERE name = ?) ON CONFLICT DO NOTHING
      """;

  private static final String ABANDON =
      "DELETE FROM xks_key_intent WHERE name = ? AND token_id = ?";

  private static final String CREATE =
      """
      WITH intent AS (
        DELETE FROM xks_key_intent WHERE name = ? AND token_id = ? RETURNING name, token_id)
      INSERT INTO xks_key (name, token_id, key_check, can_encrypt, can_decrypt, state)
      SELECT name, token_id, ?, ?, ?, 'enabled' FROM intent ON CONFLICT DO NOTHING
      """;

  private static final String CHANGE =
      """
      UPDATE xks_key SET state = ?, can_encrypt = ?, can_decrypt = ?,
        changed_at = clock_timestamp()
      WHERE name = ? AND (state <> 'destroyed' OR ? = 'destroyed')
      """;

  private static final String FIND = "SELECT %s FROM xks_key WHERE name = ?".formatted(COLUMNS);
  private static final String LIST = "SELECT %s FROM xks_key ORDER BY name".formatted(COLUMNS);

  private static final int SALT_BYTES = 16;

  private final SecureRandom random = new SecureRandom();
  private final DataSource dataSource;
  private final String instance;

  private interface Work<T> {
    T on(PreparedStatement statement) throws SQLException;
  }

  /**
   * @param dataSource hands out connections in auto-commit mode, with {@code synchronous_commit} on
   * @param instance names this instance of the service in the log
   */
  public XksKeys(DataSource dataSource, String instance) {
    this.dataSource = dataSource;
    this.instance = instance;
  }

  /**
   * Returns a key that is not destroyed, once its use is durably in the log, if a log is kept. The
   * caller refuses what the key's state or usage does not allow.
   */
  public Optional<XksKey> use(String name, KeyUse use) {
    return run(
        "read an XKS key",
        USE,
        statement -> {
          statement.setString(1, name);
          statement.setBytes(2, salt());
          statement.setString(3, text(use.principal()));
          statement.setString(4, text(use.kmsKey()));
          statement.setString(5, text(use.kmsOperation()));
          statement.setString(6, text(use.kmsRequest()));
          statement.setString(7, instance);
          statement.setString(8, use.caller());
          statement.setString(9, use.operation());
          statement.setBoolean(10, use.encrypts() || use.decrypts());
          statement.setBoolean(11, use.encrypts());
          statement.setBoolean(12, use.decrypts());
          return keys(statement).stream().findFirst();
        });
  }

  private byte[] salt() {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    return salt;
  }

  /**
   * Erases what clients said of uses on behalf of a principal. The log stays as it is, and nobody
   * can tell any more whom its entries are about.
   *
   * @param owner hands out connections of the owner of the tables
   * @return of how many uses
   */
  public static int erase(DataSource owner, String principal) {
    return run(
        owner,
        "erase uses of XKS keys",
        "DELETE FROM xks_use WHERE principal = ?",
        statement -> {
          statement.setString(1, text(principal));
          return statement.executeUpdate();
        });
  }

  /** As {@link #erase(DataSource, String)}, of all uses before a day, in UTC. */
  public static int erase(DataSource owner, LocalDate before) {
    return run(
        owner,
        "erase uses of XKS keys",
        "DELETE FROM xks_use WHERE at < ? AT TIME ZONE 'UTC'",
        statement -> {
          statement.setObject(1, before.atStartOfDay());
          return statement.executeUpdate();
        });
  }

  /** A database takes no NUL as text. */
  private static String text(String given) {
    return given.replace('\0', '\uFFFD');
  }

  /**
   * Notes that a key is being made, before a token has it. Returns false if the name is or was
   * another's, or another is being made.
   *
   * @param id the tokens will have it under
   */
  public boolean intend(String name, byte[] id) {
    return run(
            "note an XKS key",
            INTEND,
            statement -> {
              statement.setString(1, name);
              statement.setBytes(2, id);
              statement.setString(3, name);
              return statement.executeUpdate();
            })
        == 1;
  }

  /** Drops the note of a key that no token has any more. */
  public void abandon(String name, byte[] id) {
    int _ =
        run(
            "drop the note of an XKS key",
            ABANDON,
            statement -> {
              statement.setString(1, name);
              statement.setBytes(2, id);
              return statement.executeUpdate();
            });
  }

  /** Returns the id of the key that was being made when a command ended, or is being made now. */
  public Optional<byte[]> intent(String name) {
    return run(
        "read the notes of XKS keys",
        "SELECT token_id FROM xks_key_intent WHERE name = ?",
        statement -> {
          statement.setString(1, name);
          try (ResultSet row = statement.executeQuery()) {
            return row.next() ? Optional.of(row.getBytes(1)) : Optional.empty();
          }
        });
  }

  /** Returns the names of all keys that {@link #intent} would find. */
  public List<String> unfinished() {
    return run(
        "read the notes of XKS keys",
        "SELECT name FROM xks_key_intent ORDER BY name",
        statement -> {
          List<String> names = new ArrayList<>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              names.add(rows.getString(1));
            }
          }
          return names;
        });
  }

  /**
   * Adds an enabled key in the place of its note. Returns false if there is no such note: then the
   * key is there already, or its name is another's.
   */
  public boolean create(String name, TokenAesKey token, KeyUsage usage) {
    return run(
            "add an XKS key",
            CREATE,
            statement -> {
              statement.setString(1, name);
              statement.setBytes(2, token.id());
              statement.setBytes(3, token.check());
              statement.setBoolean(4, usage.encrypts());
              statement.setBoolean(5, usage.decrypts());
              return statement.executeUpdate();
            })
        == 1;
  }

  /** Changes state and usage of a key, unless it is destroyed. Returns whether it did. */
  public boolean change(String name, XksKey.State state, KeyUsage usage) {
    return run(
            "change an XKS key",
            CHANGE,
            statement -> {
              statement.setString(1, state.label());
              statement.setBoolean(2, usage.encrypts());
              statement.setBoolean(3, usage.decrypts());
              statement.setString(4, name);
              statement.setString(5, state.label());
              return statement.executeUpdate();
            })
        == 1;
  }

  /** Returns a key, destroyed ones included. */
  public Optional<XksKey> find(String name) {
    return run(
        "read an XKS key",
        FIND,
        statement -> {
          statement.setString(1, name);
          return keys(statement).stream().findFirst();
        });
  }

  /** Returns all keys by name, destroyed ones included. */
  public List<XksKey> list() {
    return run("list XKS keys", LIST, XksKeys::keys);
  }

  private static List<XksKey> keys(PreparedStatement statement) throws SQLException {
    List<XksKey> keys = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        String name = rows.getString(1);
        keys.add(
            new XksKey(
                name,
                new TokenAesKey(XksKey.label(name), rows.getBytes(2), rows.getBytes(3)),
                KeyUsage.of(rows.getBoolean(4), rows.getBoolean(5)),
                XksKey.State.valueOf(rows.getString(6).toUpperCase(Locale.ROOT))));
      }
    }
    return keys;
  }

  private <T> T run(String what, String sql, Work<T> work) {
    return run(dataSource, what, sql, work);
  }

  private static <T> T run(DataSource dataSource, String what, String sql, Work<T> work) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      return work.on(statement);
    } catch (SQLException e) {
      throw new StoreException("cannot %s in the database: %s".formatted(what, e.getMessage()), e);
    }
  }
}
