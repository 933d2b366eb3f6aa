package org.keywell.loadgen.storage;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.service.ForeignServer;
import org.keywell.loadgen.storage.StorageFigures.Start;

/**
 * A PostgreSQL on an encrypted directory. Its data key is kept wrapped; each start asks for it, and
 * each stop takes it away. Closing it stops it. Not thread-safe.
 */
final class EncryptedServer implements AutoCloseable {
  private static final Duration READY_WITHIN = Duration.ofMinutes(1);
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(1);
  private static final long LOOK_MILLIS = 2;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int STATUS_LINE = 7;

  private final String name;
  private final Volume volume;
  private final DataKeys keys;
  private final StorageSite site;
  private final int port;
  private final PrintWriter err;
  private final Path wrapped;
  private @Nullable ForeignServer running;

  private EncryptedServer(
      String name, Volume volume, DataKeys keys, StorageSite site, int port, PrintWriter err) {
    this.name = name;
    this.volume = volume;
    this.keys = keys;
    this.site = site;
    this.port = port;
    this.err = err;
    this.wrapped = volume.directory().resolve("key.wrapped");
  }

  /**
   * Creates it on a new file system, with pgbench's tables, and stops it.
   *
   * @param scale of pgbench
   */
  static EncryptedServer create(
      String name,
      Volume volume,
      DataKeys keys,
      StorageSite site,
      int port,
      int scale,
      PrintWriter err)
      throws IOException, InterruptedException {
    EncryptedServer server = new EncryptedServer(name, volume, keys, site, port, err);
    byte[] key = LocalKeys.random(DirectoryKeys.KEY_BYTES);
    Files.write(server.wrapped, keys.wrap(key));
    volume.encrypt(key);
    Arrays.fill(key, (byte) 0);
    try {
      site.initialize(volume.data());
      server.run();
      server.pgbench().initialize(scale);
      server.stop();
      return server;
    } catch (IOException | InterruptedException e) {
      server.close();
      throw e;
    }
  }

  String name() {
    return name;
  }

  Pgbench pgbench() {
    return site.pgbench(port);
  }

  /**
   * Asks for the data key, unlocks the directory and starts PostgreSQL.
   *
   * @throws KeyRefusedException if the data key is refused; the directory is locked then
   */
  Start start() throws IOException, InterruptedException {
    long asked = System.nanoTime();
    byte[] key = keys.unwrap(Files.readAllBytes(wrapped));
    long unwrapped = System.nanoTime();
    volume.unlock(key);
    long unlocked = System.nanoTime();
    Arrays.fill(key, (byte) 0);
    run();
    long started = System.nanoTime();
    return new Start(
        (unwrapped - asked) / NANOS_PER_MILLI,
        (unlocked - asked) / NANOS_PER_MILLI,
        (started - unlocked) / NANOS_PER_MILLI);
  }

  boolean isLocked() {
    return volume.isLocked();
  }

  private void run() throws IOException, InterruptedException {
    running =
        ForeignServer.start(
            "storage-" + name,
            site.postgres(volume.data(), port),
            site.logs(),
            port,
            ENDS_WITHIN,
            err);
    long began = System.nanoTime();
    while (!isReady()) {
      if (System.nanoTime() - began > READY_WITHIN.toNanos()) {
        throw new IOException("PostgreSQL is not ready; its log is in " + site.logs());
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** It listens before it is ready; its file says when it is. */
  private boolean isReady() throws IOException {
    Path file = volume.data().resolve("postmaster.pid");
    List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
    return lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
  }

  /** Stops PostgreSQL in order and takes the data key away. */
  void stop() throws IOException, InterruptedException {
    close();
    volume.lock();
  }

  @Override
  public void close() {
    if (running != null) {
      running.close();
      running = null;
    }
  }
}
