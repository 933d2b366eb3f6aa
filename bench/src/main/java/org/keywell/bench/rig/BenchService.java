package org.keywell.bench.rig;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.keywell.bench.suite.Machine;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.service.OwnService;

/** A service that the suite measures, on its own copy of the prepared pool. */
public final class BenchService implements AutoCloseable {
  private static final Duration KEYS_WITHIN = Duration.ofMinutes(5);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  /** Callers that warm it up: enough to keep every thread of it at work. */
  private static final int WARM_UP_CALLERS = 32;

  private final OwnService service;
  private final Path home;
  private final long launchedNanos;

  BenchService(OwnService service, Path home, long launchedNanos) {
    this.service = service;
    this.home = home;
    this.launchedNanos = launchedNanos;
  }

  /** When its process was started, by {@link System#nanoTime}. */
  public long launchedNanos() {
    return launchedNanos;
  }

  public URI url() {
    return service.url();
  }

  /** Where its metrics can be read. */
  public URI metrics() {
    return service.metrics();
  }

  /** Its data directory, which goes when it is closed. */
  public Path home() {
    return home;
  }

  public Path log() {
    return service.log();
  }

  /** The process of the service itself. */
  public long pid() {
    return service.pid();
  }

  /**
   * Waits until it has so many keys.
   *
   * @throws IOException if it ends before, or takes minutes; its log's end was shown
   */
  public void awaitKeys(int keys, String keySpec, OwnService.Tier tier)
      throws IOException, InterruptedException {
    service.awaitKeys(keys, keySpec, tier, KEYS_WITHIN);
  }

  /** What it says of its pools. */
  public PoolStatus pool() throws IOException, InterruptedException {
    try (KeywellClient client = new KeywellClient(url(), ANSWER_WITHIN, null)) {
      return client.poolOnceUp().orElseThrow(() -> new IOException(url() + " is not up"));
    }
  }

  /** Has it sign, and then load what it has signed with. */
  public void warmUp(AbDriver driver, WarmUp requests) throws IOException, InterruptedException {
    for (int turn = 0; turn < WarmUp.TURNS; turn++) {
      warmUp(driver, Stock.EC, WarmUp.inTurn(turn, requests.ec()));
      warmUp(driver, Stock.RSA, WarmUp.inTurn(turn, requests.rsa()));
    }
    service.awaitAllLoaded(KEYS_WITHIN);
  }

  private void warmUp(AbDriver driver, String keySpec, int requests)
      throws IOException, InterruptedException {
    if (requests > 0) {
      var _ = driver.run(url(), keySpec, requests, Math.min(WARM_UP_CALLERS, requests));
    }
  }

  /** Processor time that it and its database have used so far. */
  public CpuTime cpu() throws IOException {
    return new CpuTime(new LinuxProcess(pid()).cpuMicros(), postgresMicros());
  }

  private long postgresMicros() throws IOException {
    LinuxProcess server = new LinuxProcess(postmaster());
    long micros = server.cpuMicros() + server.endedChildrenCpuMicros();
    for (ProcessHandle child : ProcessHandle.of(server.pid()).orElseThrow().children().toList()) {
      try {
        micros += new LinuxProcess(child.pid()).cpuMicros();
      } catch (NoSuchFileException e) {
        // It has just ended; the next look finds it among the ended ones.
      }
    }
    return micros;
  }

  private long postmaster() throws IOException {
    return Long.parseLong(
        Files.readAllLines(home.resolve("postgres/postmaster.pid")).getFirst().strip());
  }

  /** Which PostgreSQL it has started, if that can be found out. */
  Optional<String> database() throws IOException {
    return ProcessHandle.of(postmaster())
        .flatMap(server -> server.info().command())
        .flatMap(program -> Machine.printed(program, "--version"))
        .map(version -> version.replaceFirst(".*\\((.*)\\)", "$1"));
  }

  /** Memory of the service's process that is in RAM. */
  public long residentBytes() throws IOException {
    return new LinuxProcess(pid()).residentBytes();
  }

  /** The most that {@link #residentBytes} has been. */
  public long peakResidentBytes() throws IOException {
    return new LinuxProcess(pid()).peakResidentBytes();
  }

  /**
   * What to tell of something that failed: if the service has ended, that it did, and why.
   *
   * @param what failed
   */
  public IOException explain(IOException failure, String what)
      throws IOException, InterruptedException {
    return service.explain(failure, what);
  }

  /** Ends it in order and removes its data directory. */
  @Override
  public void close() throws IOException {
    service.close();
    FolderCopy.remove(home);
  }
}
