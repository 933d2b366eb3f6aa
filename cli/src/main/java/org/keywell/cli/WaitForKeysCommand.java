package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.options.ProgressLine;
import org.keywell.cli.options.ServerOptions;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Waits until the service is up and has some keys, in one process, so polling is cheap. */
@Command(
    name = "wait-for-keys",
    description = "Waits until the service is ready and has at least N keys; shows progress.",
    sortOptions = false)
final class WaitForKeysCommand implements Callable<Integer> {
  private static final Duration POLL_EVERY = Duration.ofMillis(250);
  private static final Duration POLL_TIMEOUT = Duration.ofSeconds(10);

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final ServerOptions server = new ServerOptions();

  @Parameters(paramLabel = "N", description = "Number of keys; 0 waits only for the service.")
  private int wanted;

  @Option(
      names = "--key-spec",
      paramLabel = "NAME",
      defaultValue = "RSA-2048",
      description = "Kind of key; default: ${DEFAULT-VALUE}.")
  private String keySpec = "RSA-2048";

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "Maximum wait; default: ${DEFAULT-VALUE}.")
  private int timeoutSeconds = 300;

  @Option(
      names = "--pid",
      paramLabel = "PID",
      description = "The service's process; if it ends, the wait ends, too.")
  private @Nullable Long servicePid;

  @Override
  public Integer call() throws Exception {
    if (wanted < 0 || timeoutSeconds < 1) {
      throw new ParameterException(
          spec.commandLine(), "N must be 0 or more, --timeout 1 or more seconds");
    }
    CountedProgress progress =
        new CountedProgress("waiting for the service", kind(), wanted, System::nanoTime);
    PrintWriter out = spec.commandLine().getOut();
    try (ProgressLine _ = ProgressLine.passing(out, progress::line)) {
      ServiceCall.to(server, POLL_TIMEOUT, client -> waitFor(client, progress));
    }
    if (progress.begun()) {
      out.println(progress.line());
    }
    return 0;
  }

  private Integer waitFor(KeywellClient client, CountedProgress progress)
      throws IOException, InterruptedException, CommandFailedException {
    long start = System.nanoTime();
    while (!reached(client, progress)) {
      if (serviceEnded()) {
        throw new CommandFailedException("the service ended before it was ready");
      }
      if (System.nanoTime() - start > timeoutSeconds * 1_000_000_000L) {
        throw new CommandFailedException(
            "%s has not %d %s after %d s".formatted(server.url(), wanted, kind(), timeoutSeconds));
      }
      Thread.sleep(POLL_EVERY);
    }
    return wanted;
  }

  private String kind() {
    return keySpec + " keys";
  }

  /** Checks once; a service that cannot be reached or answers "not yet" may still come up. */
  private boolean reached(KeywellClient client, CountedProgress progress)
      throws IOException, InterruptedException {
    Optional<PoolStatus> pool = client.poolOnceUp();
    if (pool.isEmpty()) {
      return false;
    }
    PoolStatus status = pool.get();
    int depth = status.depth(keySpec);
    if (wanted > 0 && status.isPooled()) {
      progress.reached(depth);
    }
    return (depth >= wanted || !status.isPooled()) && client.isReady();
  }

  private boolean serviceEnded() {
    return servicePid != null
        && !ProcessHandle.of(servicePid).map(ProcessHandle::isAlive).orElse(false);
  }
}
