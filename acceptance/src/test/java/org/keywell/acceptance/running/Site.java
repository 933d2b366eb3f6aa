package org.keywell.acceptance.running;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.Sql;

/** What outlives a run of the service: a token, a database and a data directory. */
public final class Site implements AutoCloseable {

  private final SoftHsmToken token;
  private final Database database;
  private final Path home;
  private final HikariDataSource dataSource;

  private Site(SoftHsmToken token, Database database, Path home) {
    this.token = token;
    this.database = database;
    this.home = home;
    this.dataSource = database.dataSource();
  }

  public static Site create(Path home) {
    return new Site(SoftHsmToken.create(), PostgresForTests.newDatabase(), home);
  }

  /** A site on a database that is the test's own. */
  public static Site create(Path home, Database database) {
    return new Site(SoftHsmToken.create(), database, home);
  }

  /** A site whose token is in a SoftHSM that is behind another module. */
  public static Site create(Path home, Path module) {
    return new Site(SoftHsmToken.create(module), PostgresForTests.newDatabase(), home);
  }

  public SoftHsmToken token() {
    return token;
  }

  public Database database() {
    return database;
  }

  public Path home() {
    return home;
  }

  public Sql sql() {
    return new Sql(dataSource);
  }

  /** The balance of all keys. */
  public KeyLedger ledger() {
    return new KeyLedger(dataSource);
  }

  /** Stores keys before a service starts. */
  public void stock(KeySpec spec, int count) throws InterruptedException {
    KeyStock.add(token, database, spec, count);
  }

  /** Settings of a service here; later maps win. */
  @SafeVarargs
  public final Map<String, String> settings(Map<String, String>... more) {
    Map<String, String> all = new LinkedHashMap<>();
    for (Map<String, String> settings : more) {
      all.putAll(settings);
    }
    return Settings.of(token, database, home, all);
  }

  @Override
  public void close() {
    dataSource.close();
  }
}
