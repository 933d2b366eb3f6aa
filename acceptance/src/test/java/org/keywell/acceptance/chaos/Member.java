package org.keywell.acceptance.chaos;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;

/** One instance's name, and the process that runs under it at the moment. */
final class Member implements AutoCloseable {

  private final Map<String, String> settings;
  private final Path home;
  private int runs;
  private KeywellProcess process;
  private volatile @Nullable URI address;

  /**
   * Starts it for the first time.
   *
   * @param settings the instance's name among them
   */
  Member(Map<String, String> settings, Path home) throws IOException {
    this.settings = settings;
    this.home = home;
    this.process = launch();
  }

  private KeywellProcess launch() throws IOException {
    runs++;
    return KeywellProcess.start(settings, log(), "serve");
  }

  private Path log() {
    return home.resolve("run-" + runs + ".log");
  }

  /** Where it listens, if it does by now. Fails if the process ended by itself. */
  synchronized Optional<URI> address() throws IOException {
    if (address == null) {
      if (!process.isAlive()) {
        throw new AssertionError("ended by itself, see " + log() + ":\n" + process.log());
      }
      address = process.ready().map(HttpApi::base).orElse(null);
    }
    return Optional.ofNullable(address);
  }

  /** {@code kill -9} at this moment, and a new process under the same name. */
  synchronized void killAndRestart() throws IOException, InterruptedException {
    kill();
    process = launch();
  }

  synchronized void kill() throws InterruptedException {
    address = null;
    process.kill();
  }

  /** Has it stand still, and be asked no more. */
  synchronized void freeze() throws IOException, InterruptedException {
    address = null;
    process.freeze();
  }

  /** Has it go on. */
  synchronized void thaw() throws IOException, InterruptedException {
    process.thaw();
  }

  /** Ends it in order. */
  synchronized int terminate() throws InterruptedException {
    address = null;
    process.terminate();
    return process.awaitExit();
  }

  /** What the process at the moment has logged. */
  String text() throws IOException {
    return process.log();
  }

  @Override
  public void close() {
    process.close();
  }
}
