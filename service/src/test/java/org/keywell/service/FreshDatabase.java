package org.keywell.service;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.DatabaseAccess;
import org.keywell.signing.database.DatabaseConfiguration;
import org.keywell.signing.database.TimelineGuard;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.RowsRead;
import org.keywell.testkit.Sql;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** A database that keeps a log, and that autovacuum leaves alone. */
public final class FreshDatabase implements AutoCloseable {

  private static final String INSTANCE = "fresh";

  private final PostgresForTests.Database database = PostgresForTests.newDatabase();
  private final HikariDataSource superuser = database.dataSource();
  private final RowsRead rows = new RowsRead(superuser);

  public FreshDatabase() throws SQLException {
    int _ =
        sql()
            .update(
                "INSERT INTO log_tree (origin, size, root) VALUES ('test.example/log', 0,"
                    + " sha256(''))");
  }

  public Sql sql() {
    return new Sql(superuser);
  }

  public RowsRead rows() {
    return rows;
  }

  /** Returns connections as the service has them; the caller closes them. */
  public HikariDataSource ofService() {
    PostgresForTests.Database service = database.asService();
    return DatabaseConfiguration.connections(
        "test",
        2,
        new DatabaseAccess(service.url(), service.username(), service.password()),
        properties(),
        new TimelineGuard());
  }

  private static KeywellProperties properties() {
    return new Binder(new MapConfigurationPropertySource(Map.of("keywell.instance", INSTANCE)))
        .bindOrCreate("keywell", KeywellProperties.class);
  }

  /** As {@link RowsRead#above}, once the service's connections are closed. */
  public List<String> above(int rowsPerRequest, int requests) throws Exception {
    return rows.above(rowsPerRequest, requests, "keywell " + INSTANCE);
  }

  @Override
  public void close() {
    superuser.close();
  }
}
