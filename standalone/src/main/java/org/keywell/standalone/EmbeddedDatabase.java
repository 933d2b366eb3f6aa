package org.keywell.standalone;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.database.DatabaseAccess;
import org.keywell.signing.database.DatabaseServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server in the data directory that listens on loopback and requires a random
 * password. Ends with this process, however that ends. Takes over a server that an earlier process
 * left running nevertheless.
 */
public final class EmbeddedDatabase implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedDatabase.class);
  private static final String SUPERUSER = "postgres";
  private static final String END_OTHER_CLIENTS =
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      """;
  private static final Duration STARTUP = Duration.ofSeconds(60);
  private static final Duration SHUTDOWN = Duration.ofSeconds(20);

  private final DatabaseAccess access;
  private final @Nullable EmbeddedPostgres started;
  private final @Nullable ProcessHandle owned;
  private final @Nullable ServerGuard guard;
  private volatile boolean closing;

  /**
   * @param started null if the server was already running
   * @param owned the server, if {@link #close} is to stop it
   */
  private EmbeddedDatabase(
      DatabaseAccess access,
      @Nullable EmbeddedPostgres started,
      @Nullable ProcessHandle owned,
      Path data) {
    this.access = access;
    this.started = started;
    this.owned = owned;
    this.guard = owned == null ? null : ServerGuard.over(owned, data.toAbsolutePath());
  }

  /**
   * Starts the server, or takes over the one that runs on this directory. {@link #close} stops it.
   * The caller must own the data directory, see {@link HomeLock}.
   */
  public static EmbeddedDatabase own(Path home) throws IOException {
    String password = PrivateFiles.secret(passwordFile(home));
    Optional<PostmasterPid> running = PostmasterPid.find(dataDirectory(home));
    if (running.isPresent() && !running.get().isStopping()) {
      log.info("taking over the PostgreSQL that an earlier process left running");
      return new EmbeddedDatabase(
          access(running.get().port(), password),
          null,
          running.get().process(),
          dataDirectory(home));
    }
    // By the guard of a process that has just ended.
    running.ifPresent(server -> awaitEnd(server.process()));
    return start(home, password);
  }

  /**
   * Connects to another process's server on this directory. {@link #close} does not stop it.
   *
   * @return empty if none runs
   */
  public static Optional<EmbeddedDatabase> visit(Path home) throws IOException {
    String password = PrivateFiles.secret(passwordFile(home));
    return PostmasterPid.find(dataDirectory(home))
        .map(running ->
            new EmbeddedDatabase(
                access(running.port(), password), null, null, dataDirectory(home)));
  }

  /** Returns how the superuser connects. */
  public DatabaseAccess access() {
    return access;
  }

  /** See {@link DatabaseServer#onUnexpectedEnd}. */
  void onUnexpectedEnd(Runnable action) {
    if (owned != null) {
      var _ =
          owned
              .onExit()
              .thenRun(() -> {
                if (!closing) {
                  log.error(
                      "the embedded PostgreSQL (process {}) has ended: the service ends as well, and is"
                          + " to be started again",
                      owned.pid());
                  action.run();
                }
              });
    }
  }

  @Override
  public void close() throws IOException {
    closing = true;
    if (started != null) {
      started.close();
    } else if (owned != null && owned.isAlive()) {
      stop(owned);
    }
    if (guard != null) {
      guard.close();
    }
  }

  /** The signal alone would wait for every client, such as a fill running alongside the service. */
  private void stop(ProcessHandle server) {
    try (Connection connection =
            DriverManager.getConnection(access.url(), access.username(), access.password());
        Statement statement = connection.createStatement()) {
      server.destroy();
      statement.execute(END_OTHER_CLIENTS);
    } catch (SQLException e) {
      log.debug("the clients of the embedded PostgreSQL are left to themselves", e);
      server.destroy();
    }
    awaitEnd(server);
  }

  private static EmbeddedDatabase start(Path home, String password) throws IOException {
    Path data = PrivateFiles.directory(dataDirectory(home));
    Path binaries = PrivateFiles.directory(home.resolve("postgres-binaries"));
    EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setOverrideWorkingDirectory(binaries.toFile())
            .setPGStartupWait(STARTUP)
            // The owner stops it: a separate hook would stop it while keys are being put back.
            .setRegisterShutdownHook(false)
            .setServerConfig("listen_addresses", "127.0.0.1")
            .setServerConfig("unix_socket_directories", "")
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_connections", "120")
            .setConnectConfig("password", password)
            // Options of initdb: a new cluster requires the password from the start.
            .setLocaleConfig("auth", "scram-sha-256")
            .setLocaleConfig("pwfile", passwordFile(home).toString())
            .start();
    // The library makes the directory of its binaries writable for everyone.
    PrivateFiles.close(binaries);
    ProcessHandle process =
        PostmasterPid.find(data)
            .map(PostmasterPid::process)
            .orElseThrow(() -> new IOException("the embedded PostgreSQL ended while it started"));
    return new EmbeddedDatabase(access(server.getPort(), password), server, process, data);
  }

  private static void awaitEnd(ProcessHandle process) {
    try {
      process.onExit().get(SHUTDOWN.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      log.warn("the embedded PostgreSQL (process {}) has not stopped yet", process.pid());
    }
  }

  private static DatabaseAccess access(int port, String password) {
    return new DatabaseAccess(
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres", SUPERUSER, password);
  }

  private static Path dataDirectory(Path home) {
    return home.resolve("postgres");
  }

  private static Path passwordFile(Path home) {
    return home.resolve("postgres.password");
  }
}
