package org.keywell.service.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.service.running.Sql;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.testkit.PostgresForTests;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Connections as the service makes them. */
@Tag("postgresql")
@Timeout(60)
final class ConnectionsTest {

  private static final PostgresForTests.Database DATABASE = PostgresForTests.newDatabase();

  /** "local" does not wait for a standby, "remote_write" not for its disk. */
  @ParameterizedTest
  @ValueSource(strings = {"off", "local", "remote_write", "on"})
  void aCommitIsDurableOnTheStandbyWhateverTheServersDefault(String setting) throws SQLException {
    assertThat(synchronousCommit(setting)).isEqualTo("on");
  }

  @Test
  void aStrongerSettingStays() throws SQLException {
    assertThat(synchronousCommit("remote_apply")).isEqualTo("remote_apply");
  }

  /**
   * A server that hangs takes connections, since its system does, and says nothing. The URL's
   * timeouts bound that, and go before Keywell's own.
   */
  @Test
  void theHostThatTakesWritesIsFoundBehindOneThatHangs() throws Exception {
    try (ServerSocket hangs = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String url =
          DATABASE
              .url()
              .replaceFirst(
                  "//([^/]+)/",
                  "//%s:%d,$1/"
                      .formatted(hangs.getInetAddress().getHostAddress(), hangs.getLocalPort()));
      long began = System.nanoTime();
      try (HikariDataSource connections =
          connections(
              with(url, "targetServerType=primary&sslResponseTimeout=500&socketTimeout=1"))) {
        assertThat(new Sql(connections).count("SELECT 1")).isEqualTo(1);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(20));
    }
  }

  private static String synchronousCommit(String setting) throws SQLException {
    try (HikariDataSource connections =
        connections(with(DATABASE.url(), "options=-c%20synchronous_commit=" + setting))) {
      return new Sql(connections).text("SHOW synchronous_commit");
    }
  }

  private static String with(String url, String parameters) {
    return url + (url.contains("?") ? "&" : "?") + parameters;
  }

  private static HikariDataSource connections(String url) {
    KeywellProperties defaults =
        new Binder(new MapConfigurationPropertySource(Map.of()))
            .bindOrCreate("keywell", KeywellProperties.class);
    return DatabaseConfiguration.connections(
        "test",
        1,
        new DatabaseAccess(url, DATABASE.username(), DATABASE.password()),
        defaults,
        new TimelineGuard());
  }
}
