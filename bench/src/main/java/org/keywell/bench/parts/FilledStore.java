package org.keywell.bench.parts;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoredKey;
import org.keywell.signing.database.DatabaseAccess;
import org.keywell.signing.database.SchemaMigration;

/**
 * A database with a given number of stored keys, all of one kind. The keys are dummies: rows as
 * long as those of wrapped keys, under a wrapping key that no device has.
 */
final class FilledStore implements AutoCloseable {
  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String INSTANCE = "bench";
  private static final String WRAPPING_KEY = "stand-in";

  /** Its blobs are as long as a private key of that kind under AES-KWP. */
  private static final String FILL =
      """
      INSERT INTO pool_key
        (key_spec, wrapping_key_id, wrap_mechanism, public_key, wrapped_private_key)
      SELECT ?, ?, 'AES-KWP',
        '\\x3059301306072a8648ce3d020106082a8648ce3d03010703420004'::bytea
          || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
          || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
        decode(repeat('ab', 152), 'hex')
      FROM generate_series(1, ? - (SELECT count(*) FROM pool_key))
      """;

  private final HikariDataSource dataSource;
  private final JdbcWrappedKeyStore store;
  private final int keys;

  private FilledStore(HikariDataSource dataSource, int keys) {
    this.dataSource = dataSource;
    this.store = new JdbcWrappedKeyStore(dataSource, INSTANCE, WRAPPING_KEY);
    this.keys = keys;
  }

  /** Opens the server's database of that size; creates it if it is missing. */
  static FilledStore open(DatabaseAccess server, int keys) throws SQLException {
    String name = "claims_" + keys;
    try (HikariDataSource all = connect(server);
        Connection connection = all.getConnection();
        Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery("SELECT FROM pg_database WHERE datname = '" + name + "'")) {
      if (!found.next()) {
        statement.execute("CREATE DATABASE " + name);
      }
    }
    DatabaseAccess own =
        new DatabaseAccess(
            server.url().replaceFirst("/[^/?]+(\\?|$)", "/" + name + "$1"),
            server.username(),
            server.password());
    SchemaMigration.run(own);
    return new FilledStore(connect(own), keys);
  }

  private static HikariDataSource connect(DatabaseAccess server) {
    HikariDataSource dataSource = new HikariDataSource();
    dataSource.setJdbcUrl(server.url());
    dataSource.setUsername(server.username());
    dataSource.setPassword(server.password());
    // One for all: claims run one at a time.
    dataSource.setMaximumPoolSize(1);
    dataSource.setMinimumIdle(0);
    // As in the service: statements are prepared on the server from the first use on.
    dataSource.addDataSourceProperty("prepareThreshold", "1");
    return dataSource;
  }

  /** Fills the database to its size and removes what earlier claims left behind. */
  void fill() throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement fill = connection.prepareStatement(FILL);
        Statement clean = connection.createStatement()) {
      clean.execute("TRUNCATE claimed_key");
      fill.setString(1, SPEC.label());
      fill.setString(2, WRAPPING_KEY);
      fill.setInt(3, keys);
      int _ = fill.executeUpdate();
      clean.execute("VACUUM (ANALYZE) pool_key");
    }
  }

  long stored() {
    return store.count(SPEC);
  }

  /** Returns how long the loader's claim of a batch takes in milliseconds, including its commit. */
  double claimMillis(int batch) {
    long began = System.nanoTime();
    List<StoredKey> claimed = store.claim(SPEC, batch);
    double millis = (System.nanoTime() - began) / 1e6;
    if (claimed.size() != batch) {
      throw new IllegalStateException("claimed " + claimed.size() + " keys instead of " + batch);
    }
    return millis;
  }

  @Override
  public void close() {
    dataSource.close();
  }
}
