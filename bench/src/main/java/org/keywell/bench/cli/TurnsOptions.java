package org.keywell.bench.cli;

import org.keywell.loadgen.cli.MisuseException;
import picocli.CommandLine.Option;

/** Options of the commands that run kinds of load in turns. */
final class TurnsOptions {
  private static final int LEAST_REQUESTS = 100;
  private static final int MOST_CALLERS = 1_000;

  @Option(
      names = "--requests",
      paramLabel = "N",
      defaultValue = "300",
      description = "Requests of each kind in each round, 100 or more; default: ${DEFAULT-VALUE}.")
  private int requests = 300;

  @Option(
      names = "--callers",
      paramLabel = "C",
      defaultValue = "1",
      description = "Callers at the same time, 1 to 1000; default: ${DEFAULT-VALUE}.")
  private int callers = 1;

  @Option(
      names = "--key-spec",
      paramLabel = "NAME",
      defaultValue = "RSA-2048",
      description = "The kind of key; default: ${DEFAULT-VALUE}.")
  private String keySpec = "RSA-2048";

  int requests() {
    return requests;
  }

  int callers() {
    return callers;
  }

  String keySpec() {
    return keySpec;
  }

  /** Refuses options that are out of range. */
  void check() throws MisuseException {
    if (requests < LEAST_REQUESTS) {
      throw new MisuseException("--requests is a number from " + LEAST_REQUESTS + " on");
    }
    if (callers < 1 || callers > MOST_CALLERS) {
      throw new MisuseException("--callers is 1 to " + MOST_CALLERS);
    }
  }

  /** Returns the limit of open acts in two calls for all callers together. */
  static String maxOpenActs() {
    return Integer.toString(2 * MOST_CALLERS);
  }
}
