package org.keywell.testkit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.keywell.testkit.PostgresForTests.Database;

/**
 * A test's own PostgreSQL: a directory that can be copied, and a process on it that can be ended in
 * any way and restarted. With PostgreSQL's defaults, so that commits are durable.
 */
public final class OwnPostgres implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Set<Integer> ports = ConcurrentHashMap.newKeySet();

  private final Path binaries;
  private final Path data;
  private final List<String> within;
  private final int port;
  private final Path log;
  private volatile @Nullable Process process;
  private volatile boolean closed;

  private OwnPostgres(Path binaries, Path data, List<String> within, Path log) {
    this.binaries = binaries;
    this.data = data;
    this.within = List.copyOf(within);
    this.port = freePort();
    this.log = log;
  }

  /**
   * Creates a new directory; the caller starts the server.
   *
   * @param walSegmentMegabytes size of a WAL segment: 16 by default
   */
  public static OwnPostgres initialize(Path data, int walSegmentMegabytes) throws IOException {
    RealPart.POSTGRESQL.inUse();
    try (EmbeddedPostgres first =
            EmbeddedPostgres.builder()
                .setDataDirectory(Files.createDirectories(data))
                .setCleanDataDirectory(false)
                // An option of initdb, like those of the locale.
                .setLocaleConfig("wal-segsize", Integer.toString(walSegmentMegabytes))
                // The default; a standby must not have less.
                .setServerConfig("max_connections", "100")
                .start();
        Connection connection = first.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT setting FROM pg_config WHERE name = 'BINDIR'")) {
      row.next();
      return new OwnPostgres(Path.of(row.getString(1)), data, List.of(), beside(data));
    } catch (SQLException e) {
      throw new IOException("the new PostgreSQL does not answer", e);
    }
  }

  /** Copies the directory byte for byte; neither server may be running. */
  public OwnPostgres copyTo(Path copy) throws IOException, InterruptedException {
    return copyTo(copy, List.of());
  }

  /**
   * As {@link #copyTo(Path)}.
   *
   * @param within prefix for commands that must see the copy
   */
  public OwnPostgres copyTo(Path copy, List<String> within)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(within);
    command.addAll(List.of("cp", "-a", data.toString(), copy.toString()));
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
      throw new IOException("%s cannot be copied to %s".formatted(data, copy));
    }
    return new OwnPostgres(binaries, copy, within, beside(copy));
  }

  /** Returns a path outside the directory, whose disk may be full. */
  private static Path beside(Path data) {
    return data.resolveSibling(data.getFileName() + ".log");
  }

  public Path data() {
    return data;
  }

  /** Returns the server's default database, without a schema at first. */
  public Database database() {
    return new Database("jdbc:postgresql://127.0.0.1:" + port + "/postgres", "postgres", "");
  }

  /**
   * Starts the server, which may end at once if it cannot run. Does nothing after {@link #close}.
   */
  public synchronized void start() throws IOException {
    if (closed) {
      return;
    }
    List<String> command = new ArrayList<>(within);
    if (System.getProperty("user.name").equals("root") || !within.isEmpty()) {
      // PostgreSQL refuses root. In a user namespace it runs as nobody and still owns root's files.
      command.addAll(List.of("unshare", "--user", "--"));
    }
    command.addAll(List.of(binaries.resolve("postgres").toString(), "-D", data.toString()));
    command.addAll(List.of("-p", Integer.toString(port), "-c", "listen_addresses=127.0.0.1"));
    command.addAll(List.of("-c", "unix_socket_directories=", "-c", "shared_buffers=16MB"));
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
  }

  /** Waits until the server answers. */
  public OwnPostgres awaitReady() throws IOException, InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!answers()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("PostgreSQL does not answer:\n" + log());
      }
      Thread.sleep(50);
    }
    return this;
  }

  private boolean answers() {
    Database database = database();
    try (Connection connection =
        DriverManager.getConnection(
            database.url() + "?connectTimeout=1&socketTimeout=1", database.username(), "")) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  /** Makes a copy start as a standby, which follows its primary until it is promoted. */
  public OwnPostgres asStandbyOf(OwnPostgres primary) throws IOException {
    Files.createFile(data.resolve("standby.signal"));
    Files.writeString(
        data.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres'%n".formatted(primary.port),
        StandardOpenOption.APPEND);
    return this;
  }

  /** Waits until this standby has all that its primary had at the time of the call. */
  public void awaitAllOf(OwnPostgres primary)
      throws IOException, SQLException, InterruptedException {
    String there = primary.ask("SELECT pg_current_wal_flush_lsn()");
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!ask("SELECT pg_last_wal_replay_lsn() >= '%s'::pg_lsn".formatted(there)).equals("t")) {
      if (System.nanoTime() > end) {
        throw new AssertionError("the standby does not follow:\n" + log());
      }
      Thread.sleep(50);
    }
  }

  /** Promotes a standby to primary: it then accepts writes, on its own timeline. */
  public void promote() throws SQLException {
    ask("SELECT pg_promote()");
  }

  private String ask(String query) throws SQLException {
    Database database = database();
    try (Connection connection =
            DriverManager.getConnection(database.url(), database.username(), database.password());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  /** Starts the server and restarts it whenever it ends, as systemd does. */
  public void supervise(Duration pause) throws IOException {
    start();
    Thread.ofVirtual()
        .name("supervisor")
        .start(() -> {
          try {
            while (!closed) {
              started().waitFor();
              Thread.sleep(pause);
              start();
            }
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("PostgreSQL is not started again", e);
          }
        });
  }

  private Process started() {
    return Objects.requireNonNull(process, "the server was not started");
  }

  /** Stops the server in order, even with clients connected. */
  public void stop() throws IOException, InterruptedException {
    signal("INT");
    if (!started().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("PostgreSQL does not stop:\n" + log());
    }
  }

  /** Freezes all processes, like a paused machine; connections are still accepted. */
  public void freeze() throws IOException, InterruptedException {
    // First the process that forks the others.
    signal("STOP");
    signalChildren("STOP");
  }

  /** Resumes the processes, which know nothing of what happened meanwhile. */
  public void wake() throws IOException, InterruptedException {
    signalChildren("CONT");
    signal("CONT");
  }

  private void signalChildren(String name) throws IOException, InterruptedException {
    for (ProcessHandle child : started().descendants().toList()) {
      signal(name, child.pid());
    }
  }

  private void signal(String name) throws IOException, InterruptedException {
    signal(name, started().pid());
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
  }

  public String log() throws IOException {
    return Files.readString(log);
  }

  /** Kills the server permanently; its children notice. */
  @Override
  public synchronized void close() {
    closed = true;
    if (process != null) {
      process.destroyForcibly();
    }
  }

  /** Returns a port that no other server of this process has, even one not yet listening. */
  private static int freePort() {
    while (true) {
      int port = FreePort.find();
      if (ports.add(port)) {
        return port;
      }
    }
  }
}
