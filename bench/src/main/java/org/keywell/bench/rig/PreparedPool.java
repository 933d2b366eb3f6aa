package org.keywell.bench.rig;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.service.FreePorts;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;

/**
 * A full pool that is kept between runs, so that keys are generated once: a data directory that was
 * filled and is never served from. Each service of the suite gets a copy, with the same keys in the
 * same rows; the copy is removed with it.
 *
 * <p>So a stored key signs in several services: each of their databases lets it sign once, and no
 * signature leaves the benchmark.
 */
public final class PreparedPool implements AutoCloseable {
  private static final String HOME = "KEYWELL_HOME";
  private static final String PORT = "SERVER_PORT";
  private static final int USUAL_PORT = 8420;
  private static final String FOLDER = "bench-pool";

  /** Settings that point to another database than the one in the data directory. */
  private static final String DATABASE_SETTINGS = "KEYWELL_DATABASE_";

  private static final String TOKEN_MARK = "KEYWELL_POOL_TOKENMARK";

  private static final List<String> COPIED =
      List.of("postgres", "postgres.password", "postgres-binaries");
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(2);

  private final ServiceProgram program;
  private final Path folder;
  private final Path kept;
  private final Path copies;
  private final FileChannel lock;
  private final PrintWriter err;

  private PreparedPool(ServiceProgram program, Path folder, FileChannel lock, PrintWriter err) {
    this.program = program;
    this.folder = folder;
    this.kept = folder.resolve("kept");
    this.copies = folder.resolve("copies");
    this.lock = lock;
    this.err = err;
  }

  /**
   * Opens the pool in the folder {@code bench-pool} of the program's data directory. Only this
   * process can use it until it is closed.
   *
   * @param err where services report errors
   * @throws IOException if another process uses it, or it cannot be created
   */
  public static PreparedPool open(ServiceProgram program, PrintWriter err) throws IOException {
    Path home = Path.of(String.valueOf(program.environment().get(HOME)));
    Path folder = privately(home.resolve(FOLDER));
    FileChannel lock = lock(folder.resolve("lock"));
    try {
      PreparedPool pool = new PreparedPool(alone(program), folder, lock, err);
      FolderCopy.remove(pool.copies);
      var _ = privately(pool.copies);
      return pool;
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static ServiceProgram alone(ServiceProgram program) {
    Map<String, String> environment = new HashMap<>(program.environment());
    environment.keySet().removeIf(name -> name.startsWith(DATABASE_SETTINGS));
    // It would refuse the second copy of a database, as it must.
    environment.put(TOKEN_MARK, "false");
    return new ServiceProgram(program.command(), environment, program.logs(), program.told());
  }

  private static Path privately(Path folder) throws IOException {
    return Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private static FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock held = channel.tryLock();
      if (held != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // Held by this very process.
    }
    channel.close();
    throw new IOException("another benchmark uses " + file.getParent());
  }

  /**
   * Generates the missing keys at the HSM's own speed and reports progress. Keys of an interrupted
   * run count.
   *
   * @throws IOException if keys cannot be generated; the reason was reported
   */
  public void fill(Stock wanted) throws IOException, InterruptedException {
    if (stock().covers(wanted)) {
      return;
    }
    var _ = privately(kept);
    ServiceProgram filling = at(kept, Map.of());
    fill(filling, wanted.rsa(), Stock.RSA);
    fill(filling, wanted.ec(), Stock.EC);
    remember(wanted);
  }

  private void fill(ServiceProgram filling, int keys, String keySpec)
      throws IOException, InterruptedException {
    if (keys > 0 && filling.fill(keys, keySpec, err) != 0) {
      throw new IOException("the benchmark's pool could not be filled");
    }
  }

  private Path stockFile() {
    return kept.resolve("stock");
  }

  /** Returns what a completed fill has stored; zero without one. */
  private Stock stock() throws IOException {
    if (!Files.exists(stockFile())) {
      return new Stock(0, 0);
    }
    List<String> counts = Files.readAllLines(stockFile());
    try {
      return new Stock(Integer.parseInt(counts.get(0)), Integer.parseInt(counts.get(1)));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IOException(
          "%s is not as it was written; remove %s, and new keys are made"
              .formatted(stockFile(), kept),
          e);
    }
  }

  private void remember(Stock stock) throws IOException {
    Files.write(stockFile(), List.of(Integer.toString(stock.rsa()), Integer.toString(stock.ec())));
  }

  /**
   * Starts a service with the whole pool, and waits until it is ready. Several may run at the same
   * time.
   *
   * @param name of its copy and its log; unique among running services
   * @param settings for its environment
   * @throws IOException if it does not start; the end of its log was shown
   */
  public BenchService start(String name, Map<String, String> settings)
      throws IOException, InterruptedException {
    return start(name, settings, null);
  }

  /**
   * As {@link #start(String, Map)}.
   *
   * @param tls how it is reached, if the settings have it serve TLS
   */
  BenchService start(String name, Map<String, String> settings, @Nullable SSLContext tls)
      throws IOException, InterruptedException {
    BenchService started = launch(name, settings, tls);
    try {
      started.awaitKeys(0, Stock.RSA, OwnService.Tier.EITHER);
      return started;
    } catch (IOException | InterruptedException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  /** Like {@link #start}, to measure the start itself: does not wait until the service is ready. */
  public BenchService launch(String name, Map<String, String> settings) throws IOException {
    return launch(name, settings, null);
  }

  private BenchService launch(String name, Map<String, String> settings, @Nullable SSLContext tls)
      throws IOException {
    Path home = copy(name);
    int port = FreePorts.from(firstPort());
    ServiceProgram serving = at(home, Map.of(PORT, Integer.toString(port)));
    long launchedNanos = System.nanoTime();
    OwnService service = serving.start("bench-" + name, settings, tls, ENDS_WITHIN, err);
    return new BenchService(serving, service, home, launchedNanos);
  }

  /** Creates a data directory with the database as filled; replaces an earlier copy. */
  Path copy(String name) throws IOException {
    Path home = copies.resolve(name);
    FolderCopy.remove(home);
    var _ = privately(home);
    for (String each : COPIED) {
      if (Files.exists(kept.resolve(each))) {
        FolderCopy.copy(kept.resolve(each), home.resolve(each));
      }
    }
    return home;
  }

  private int firstPort() throws IOException {
    String given = program.environment().getOrDefault(PORT, "");
    try {
      return given.isEmpty() ? USUAL_PORT : Integer.parseInt(given);
    } catch (NumberFormatException e) {
      throw new IOException("SERVER_PORT: '" + given + "' is no port", e);
    }
  }

  private ServiceProgram at(Path home, Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(program.environment());
    environment.put(HOME, home.toString());
    environment.putAll(more);
    return new ServiceProgram(program.command(), environment, program.logs(), program.told());
  }

  /** Returns the environment of all services of the suite, including the HSM's module and PIN. */
  public Map<String, String> environment() {
    return program.environment();
  }

  /** Creates a folder for what a part prepares once and keeps for later runs. */
  public Path keptFor(String part) throws IOException {
    return privately(folder.resolve(part));
  }

  /** Creates a folder for a part to pass files; it is removed on closing or by the next run. */
  public Path scratch(String name) throws IOException {
    return privately(copies.resolve(name));
  }

  /** Removes the copies but keeps the pool itself. */
  @Override
  public void close() throws IOException {
    try (lock) {
      FolderCopy.remove(copies);
    }
  }
}
