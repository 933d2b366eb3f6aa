package org.keywell.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.keywell.cli.options.ServerOptions;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows how many keys the service has. */
@Command(
    name = "status",
    description = "Shows how many keys the service has ready.",
    sortOptions = false)
final class StatusCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final ServerOptions server = new ServerOptions();

  @Option(
      names = "--porcelain",
      description = "Print one line per pool, KEYSPEC STORED LOADED, for scripts.")
  private boolean porcelain;

  @Override
  public Integer call() throws Exception {
    PoolStatus status = ServiceCall.to(server, TIMEOUT, KeywellClient::pool);
    PrintWriter out = spec.commandLine().getOut();
    if (porcelain) {
      status.pools().forEach(p -> out.println(p.keySpec() + " " + p.stored() + " " + p.loaded()));
    } else {
      PoolTable.print(out, status);
    }
    out.flush();
    return 0;
  }
}
