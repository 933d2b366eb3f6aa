package org.keywell.loadgen.cli;

import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.messages.FreshPlan;
import org.keywell.loadgen.messages.MessagesPlan;
import picocli.CommandLine.Option;

/** Whether {@code load messages} measures fresh keys, and how. */
final class FreshOptions {
  private static final int LEAST = 10;
  private static final int MOST = 100_000;

  @Option(
      names = "--fresh",
      paramLabel = "N",
      description =
          "Measure messages that are each signed with a fresh key from a service, too: at most N"
              + " from its pool and at most N generated on the fly, 10 to 100000, over ten queues"
              + " with the same clients; the pool is filled before. Default: leave it out.")
  private @Nullable Integer fresh;

  @Option(
      names = "--key-spec",
      paramLabel = "NAME",
      defaultValue = "RSA-2048",
      description =
          "Kind of the fresh keys: RSA-2048, RSA-3072, RSA-4096, EC-P256 or EC-P384; default:"
              + " ${DEFAULT-VALUE}.")
  private String keySpec = "RSA-2048";

  /** Returns what to measure beside this plan; null for nothing. */
  @Nullable FreshPlan plan(MessagesPlan plan) throws MisuseException {
    if (fresh == null) {
      return null;
    }
    if (fresh < LEAST || fresh > MOST) {
      throw new MisuseException("--fresh is %d, expected %d to %d".formatted(fresh, LEAST, MOST));
    }
    if (!KeyDemand.KINDS.contains(keySpec)) {
      throw new MisuseException("--key-spec is one of " + String.join(", ", KeyDemand.KINDS));
    }
    try {
      return new FreshPlan(
          fresh, keySpec, plan.seconds(), plan.warmUpSeconds(), plan.rounds(), plan.clients());
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }
}
