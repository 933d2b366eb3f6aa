package org.keywell.cli;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.keywell.cli.options.ServerOptions;
import org.keywell.client.KeywellClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the CA's certificates. */
@Command(
    name = "chain",
    description = {
      "Prints the CA's certificates (PEM), the root last.",
      "Before you trust the root, compare its fingerprint with one from another channel."
    },
    sortOptions = false)
final class ChainCommand implements Callable<Integer> {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final ServerOptions server = new ServerOptions();

  @Override
  public Integer call() throws Exception {
    String pem = ServiceCall.to(server, TIMEOUT, KeywellClient::chainPem);
    spec.commandLine().getOut().print(pem);
    spec.commandLine().getOut().flush();
    return 0;
  }
}
