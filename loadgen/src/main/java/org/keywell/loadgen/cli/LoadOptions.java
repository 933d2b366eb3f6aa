package org.keywell.loadgen.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.Requirement;
import org.keywell.loadgen.verify.VerifyMode;
import picocli.CommandLine.Option;

/** How a run is made, checked and reported; common to all commands that drive a service. */
final class LoadOptions {

  @Option(
      names = "--key-spec",
      paramLabel = "NAME",
      defaultValue = "RSA-2048",
      description = "The kind of key to ask for; default: ${DEFAULT-VALUE}.")
  private String keySpec = "RSA-2048";

  @Option(
      names = "--deadline",
      paramLabel = "MILLIS",
      defaultValue = "60000",
      description =
          "The deadline that requests name, 1 to 60000; default: ${DEFAULT-VALUE}, so that slow"
              + " answers are measured rather than refused.")
  private int deadlineMillis = 60_000;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "5000",
      description =
          "At most N requests wait for answers at the same time, 1 to 50000; further ones are not"
              + " sent and count as dropped; default: ${DEFAULT-VALUE}.")
  private int inFlight = 5_000;

  @Option(
      names = "--verify",
      paramLabel = "all|sample|none",
      defaultValue = "all",
      description =
          "Which signatures and certificate chains are checked after the run; default:"
              + " ${DEFAULT-VALUE}. sample: every tenth.")
  private VerifyMode verify = VerifyMode.ALL;

  @Option(
      names = "--root",
      paramLabel = "FILE",
      description =
          "The root certificate to trust (PEM); default: the one that the service names as its"
              + " own.")
  private @Nullable Path root;

  @Option(
      names = "--require",
      paramLabel = "CONDITION",
      description =
          "End with 3 unless the run meets this, such as 'p99<300ms' or 'dropped=0'; may be"
              + " repeated. Figures: p50, p90, p99, p999, max, mean (ms or s, from when requests"
              + " were due); dropped, refused, failed, timeouts, signed, pregenerated (a number, or"
              + " %% of those due); share300, share3000 (%%).")
  private List<String> require = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The report's folder, empty or new; default: load-reports/<time>-<command>.")
  private @Nullable Path out;

  String keySpec() {
    return keySpec;
  }

  int deadlineMillis() {
    return deadlineMillis;
  }

  /** An answer that comes after its deadline is still on its way for a moment. */
  Duration timeout() {
    return Duration.ofMillis(deadlineMillis).plusSeconds(5);
  }

  int inFlight() {
    return inFlight;
  }

  VerifyMode verify() {
    return verify;
  }

  @Nullable Path root() {
    return root;
  }

  Path out(String defaultName) {
    return out == null ? Path.of("load-reports", defaultName) : out;
  }

  /** The requirements, read; whatever else is out of range is told, too. */
  List<Requirement> checked() throws MisuseException {
    if (deadlineMillis < 1 || deadlineMillis > 60_000 || inFlight < 1 || inFlight > 50_000) {
      throw new MisuseException("--deadline is 1 to 60000, --in-flight 1 to 50000");
    }
    List<Requirement> requirements = new ArrayList<>();
    try {
      for (String text : require) {
        requirements.add(Requirement.parse(text));
      }
    } catch (IllegalArgumentException e) {
      throw new MisuseException("--require " + e.getMessage());
    }
    return requirements;
  }
}
