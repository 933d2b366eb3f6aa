package org.keywell.bench.rig;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.keywell.bench.suite.Machine;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;

/** A service that the suite measures, on its own copy of the prepared pool. */
public final class BenchService implements AutoCloseable {
  private static final Duration KEYS_WITHIN = Duration.ofMinutes(5);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  /** Callers during the warm-up: enough to keep all of the service's threads busy. */
  private static final int WARM_UP_CALLERS = 32;

  private final ServiceProgram program;
  private final OwnService service;
  private final Path home;
  private final long launchedNanos;

  BenchService(ServiceProgram program, OwnService service, Path home, long launchedNanos) {
    this.program = program;
    this.service = service;
    this.home = home;
    this.launchedNanos = launchedNanos;
  }

  /** Returns when the process was started, by {@link System#nanoTime}. */
  public long launchedNanos() {
    return launchedNanos;
  }

  /** Returns its program, to run commands beside it. */
  public ServiceProgram program() {
    return program;
  }

  public URI url() {
    return service.url();
  }

  /** Returns where the metrics can be read. */
  public URI metrics() {
    return service.metrics();
  }

  /** Returns the id of the service's own process. */
  public long pid() {
    return service.pid();
  }

  /**
   * Waits until the service has this many keys.
   *
   * @throws IOException if it ends first, or takes minutes; the end of its log was shown
   */
  public void awaitKeys(int keys, String keySpec, OwnService.Tier tier)
      throws IOException, InterruptedException {
    service.awaitKeys(keys, keySpec, tier, KEYS_WITHIN);
  }

  /** Returns the service's report on its pools. */
  public PoolStatus pool() throws IOException, InterruptedException {
    try (KeywellClient client = service.client(ANSWER_WITHIN)) {
      return client.poolOnceUp().orElseThrow(() -> new IOException(url() + " is not up"));
    }
  }

  /** Has the service sign, then waits until its keys are loaded again. */
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

  /** Returns the processor time used so far by the service and its database. */
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
        // It has just ended; the next call finds it among the ended ones.
      }
    }
    return micros;
  }

  private long postmaster() throws IOException {
    return Long.parseLong(
        Files.readAllLines(home.resolve("postgres/postmaster.pid")).getFirst().strip());
  }

  /** Returns the version of the service's PostgreSQL, if it can be determined. */
  Optional<String> database() throws IOException {
    return ProcessHandle.of(postmaster())
        .flatMap(server -> server.info().command())
        .flatMap(program -> Machine.printed(program, "--version"))
        .map(version -> version.replaceFirst(".*\\((.*)\\)", "$1"));
  }

  /** Returns how much its database has written so far. */
  public DatabaseVolume volume() throws IOException {
    return DatabaseVolume.of(home);
  }

  /** Adds synthetic entries to its log and waits until a checkpoint has them. */
  public void lengthenLog(int entries) throws IOException, InterruptedException {
    LongLog.fill(home, entries);
  }

  /** Returns the request that a synthetic entry tells of, from 1 on. */
  public UUID loggedRequest(int entry) {
    return LongLog.requestId(entry);
  }

  /** Returns how much of the service's memory is in RAM. */
  public long residentBytes() throws IOException {
    return new LinuxProcess(pid()).residentBytes();
  }

  /**
   * Returns what to report for a failure: if the service has ended, that it did, and why.
   *
   * @param what failed
   */
  public IOException explain(IOException failure, String what)
      throws IOException, InterruptedException {
    return service.explain(failure, what);
  }

  /** Stops the service in order and removes its data directory. */
  @Override
  public void close() throws IOException {
    service.close();
    FolderCopy.remove(home);
  }
}
