package org.keywell.keypool.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import javax.sql.DataSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/** Moves keys by the statements of the version before, which may run beside this one. */
final class FormerStore {

  private static final Map<String, String> STATEMENTS = read();

  private final DataSource dataSource;
  private final String instance;
  private final String wrappingKeyId;

  FormerStore(DataSource dataSource, String instance, String wrappingKeyId) {
    this.dataSource = dataSource;
    this.instance = instance;
    this.wrappingKeyId = wrappingKeyId;
  }

  private static Map<String, String> read() {
    try (InputStream file =
        Objects.requireNonNull(FormerStore.class.getResourceAsStream("former-statements.sql"))) {
      Map<String, String> statements = new HashMap<>();
      for (String part :
          new String(file.readAllBytes(), StandardCharsets.UTF_8)
              .split("(?m)^-- (?=[A-Z_]+$)", -1)) {
        int end = part.indexOf('\n');
        statements.put(part.substring(0, end), part.substring(end + 1));
      }
      return statements;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private interface Work<T> {
    T on(PreparedStatement statement) throws SQLException;
  }

  private <T> T execute(String name, Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(Objects.requireNonNull(STATEMENTS.get(name)))) {
      return work.on(statement);
    }
  }

  long add(WrappedKey key) throws SQLException {
    return execute(
        "ADD",
        statement -> {
          statement.setString(1, key.spec().label());
          statement.setString(2, key.wrappingKeyId());
          statement.setString(3, key.wrapMechanism());
          statement.setBytes(4, key.publicKey());
          statement.setBytes(5, key.wrappedPrivateKey());
          statement.setString(6, instance);
          return Statements.singleLong(statement);
        });
  }

  List<StoredKey> claim(KeySpec spec, int max) throws SQLException {
    return execute(
        "CLAIM",
        statement -> {
          statement.setString(1, spec.label());
          statement.setString(2, wrappingKeyId);
          statement.setInt(3, max);
          statement.setString(4, spec.label());
          statement.setString(5, wrappingKeyId);
          statement.setString(6, instance);
          statement.setObject(7, UUID.randomUUID());
          statement.setString(8, instance);
          List<StoredKey> claimed = new ArrayList<>();
          try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
              claimed.add(
                  new StoredKey(
                      rows.getLong(1),
                      new WrappedKey(
                          spec,
                          wrappingKeyId,
                          rows.getString(2),
                          rows.getBytes(3),
                          rows.getBytes(4))));
            }
          }
          return claimed;
        });
  }

  int putBack(List<StoredKey> keys) throws SQLException {
    return execute(
        "PUT_BACK",
        statement -> {
          Connection connection = statement.getConnection();
          Array ids = ids(connection, keys.stream().map(StoredKey::id).toList());
          List<WrappedKey> wrapped = keys.stream().map(StoredKey::key).toList();
          statement.setString(1, instance);
          statement.setArray(2, ids);
          statement.setObject(3, null, Types.OTHER);
          statement.setString(4, instance);
          statement.setArray(5, ids);
          statement.setArray(6, texts(connection, wrapped, key -> key.spec().label()));
          statement.setArray(7, texts(connection, wrapped, WrappedKey::wrappingKeyId));
          statement.setArray(8, texts(connection, wrapped, WrappedKey::wrapMechanism));
          statement.setArray(9, bytes(connection, wrapped, WrappedKey::publicKey));
          statement.setArray(10, bytes(connection, wrapped, WrappedKey::wrappedPrivateKey));
          return statement.executeUpdate();
        });
  }

  void settle(Collection<Long> ids) throws SQLException {
    int _ =
        execute(
            "SETTLE",
            statement -> {
              statement.setString(1, instance);
              statement.setArray(2, ids(statement.getConnection(), ids));
              statement.setString(3, instance);
              return statement.executeUpdate();
            });
  }

  long forfeit() throws SQLException {
    return execute(
        "FORFEIT",
        statement -> {
          statement.setString(1, instance);
          statement.setString(2, instance);
          statement.setString(3, instance);
          return Statements.singleLong(statement);
        });
  }

  private static Array ids(Connection connection, Collection<Long> ids) throws SQLException {
    return connection.createArrayOf("bigint", ids.toArray());
  }

  private static Array texts(
      Connection connection, List<WrappedKey> keys, Function<WrappedKey, String> part)
      throws SQLException {
    return connection.createArrayOf("text", keys.stream().map(part).toArray());
  }

  private static Array bytes(
      Connection connection, List<WrappedKey> keys, Function<WrappedKey, byte[]> part)
      throws SQLException {
    return connection.createArrayOf("bytea", keys.stream().map(part).toArray(byte[][]::new));
  }
}
