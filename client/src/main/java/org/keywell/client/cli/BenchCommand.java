package org.keywell.client.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;
import org.keywell.client.options.ServerOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures a running service with callers who each wait for an answer before they ask again. */
@Command(
    name = "bench",
    description = {
      "Measures a running service in a closed loop: each caller sends its next request when the"
          + " last one is answered.",
      "This tells what the service can do at most, not how long callers wait who come when they"
          + " please."
    },
    sortOptions = false)
final class BenchCommand implements Callable<Integer> {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final ServerOptions server = new ServerOptions();

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "200",
      description = "Requests to measure; default: ${DEFAULT-VALUE}.")
  private int requests = 200;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "20",
      description = "Requests before those, not measured; default: ${DEFAULT-VALUE}.")
  private int warmUp = 20;

  @Option(
      names = "--callers",
      paramLabel = "N",
      defaultValue = "1",
      description = "Callers at the same time; default: ${DEFAULT-VALUE}.")
  private int callers = 1;

  @Option(names = "--key-spec", paramLabel = "NAME", description = "Default: RSA-2048.")
  private @Nullable String keySpec;

  @Option(
      names = "--porcelain",
      description = "Print only: requests per second, mean in ms, signed, made ahead of time.")
  private boolean porcelain;

  @Override
  public Integer call() throws Exception {
    if (spec == null) {
      throw new IllegalStateException("only picocli runs this command");
    }
    if (requests < 1 || warmUp < 0 || callers < 1 || callers > 1000) {
      throw new ParameterException(
          spec.commandLine(), "--requests is 1 or more, --warm-up 0 or more, --callers 1 to 1000");
    }
    ClosedLoop.Result result = ServiceCall.to(server, ANSWER_TIMEOUT, this::measure);
    print(spec.commandLine().getOut(), result);
    if (result.signed() < requests) {
      throw new CommandFailedException(
          "%d of %d requests were not signed; the first problem: %s"
              .formatted(requests - result.signed(), requests, result.firstProblem()));
    }
    return 0;
  }

  private ClosedLoop.Result measure(KeywellClient client) throws IOException, InterruptedException {
    ClosedLoop loop = new ClosedLoop(client, keySpec, new SecureRandom(), System::nanoTime);
    if (warmUp > 0) {
      loop.run(warmUp, callers);
    }
    return loop.run(requests, callers);
  }

  private void print(PrintWriter out, ClosedLoop.Result result) {
    if (porcelain) {
      out.printf(
          Locale.ROOT,
          "%.3f %.3f %d %d%n",
          result.perSecond(),
          result.meanMillis(),
          result.signed(),
          result.preGenerated());
      return;
    }
    out.printf(
        Locale.ROOT,
        """
          signed          %d of %d, %d with keys made ahead of time
          throughput      %.1f requests/s, %d caller(s)
          latency         mean %.1f ms, p50 %.1f, p95 %.1f, p99 %.1f, max %.1f
        """,
        result.signed(),
        requests,
        result.preGenerated(),
        result.perSecond(),
        callers,
        result.meanMillis(),
        result.percentileMillis(50),
        result.percentileMillis(95),
        result.percentileMillis(99),
        result.percentileMillis(100));
  }
}
