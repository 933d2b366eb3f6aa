package org.keywell.loadgen.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.verify.VerifyMode;
import picocli.CommandLine.Option;

/** Options for driving, checking and reporting; common to all commands that drive a service. */
final class LoadOptions {
  private static final int LONGEST_DEADLINE_MILLIS = 3_600_000;

  /** A service accepts 64; a run that is part of an experiment extends its id. */
  private static final Pattern TEST_ID = Pattern.compile("[A-Za-z0-9._:-]{1,48}");

  @Option(
      names = "--key-spec",
      paramLabel = "NAME",
      defaultValue = "RSA-2048",
      description = "Kind of key to request; default: ${DEFAULT-VALUE}.")
  private String keySpec = "RSA-2048";

  @Option(
      names = "--deadline",
      paramLabel = "MILLIS",
      description =
          "Deadline of each request, 1 to 3600000; default: 60000 (overload: 600000), so that slow"
              + " answers are measured rather than refused. A service accepts at most its"
              + " keywell.sign.max-deadline.")
  private @Nullable Integer deadlineMillis;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "5000",
      description =
          "At most N requests in flight, 1 to 50000; further ones are not sent and count as"
              + " dropped; default: ${DEFAULT-VALUE}.")
  private int inFlight = 5_000;

  @Option(
      names = "--verify",
      paramLabel = "all|sample|none",
      defaultValue = "all",
      description =
          "Which signatures and certificate chains to check after the run; default:"
              + " ${DEFAULT-VALUE}. sample: every tenth.")
  private VerifyMode verify = VerifyMode.ALL;

  @Option(
      names = "--root",
      paramLabel = "FILE",
      description = "Root certificate to trust (PEM); default: the one that the service names.")
  private @Nullable Path root;

  @Option(
      names = "--test-id",
      paramLabel = "ID",
      description =
          "Sent with each request as Keywell-Test-Id, to identify the run in the service's records:"
              + " 1 to 48 of A-Z a-z 0-9 . _ : -; default: <command>-<time>.")
  private @Nullable String testId;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Report folder, empty or new; default: load-reports/<time>-<command>.")
  private @Nullable Path out;

  String keySpec() {
    return keySpec;
  }

  Duration deadline(Duration fallback) {
    return deadlineMillis == null ? fallback : Duration.ofMillis(deadlineMillis);
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

  Path out(RunName name) {
    return out == null ? Path.of("load-reports", name.folder()) : out;
  }

  String testId(RunName name) {
    return testId == null ? name.testId() : testId;
  }

  /** Rejects values out of range. */
  void check() throws MisuseException {
    if (!KeyDemand.KINDS.contains(keySpec)) {
      throw new MisuseException(
          "--key-spec '%s' is none of %s".formatted(keySpec, String.join(", ", KeyDemand.KINDS)));
    }
    if ((deadlineMillis != null && (deadlineMillis < 1 || deadlineMillis > LONGEST_DEADLINE_MILLIS))
        || inFlight < 1
        || inFlight > 50_000) {
      throw new MisuseException("--deadline is 1 to 3600000, --in-flight 1 to 50000");
    }
    if (testId != null && !TEST_ID.matcher(testId).matches()) {
      throw new MisuseException("--test-id is 1 to 48 of A-Z a-z 0-9 . _ : -");
    }
  }
}
