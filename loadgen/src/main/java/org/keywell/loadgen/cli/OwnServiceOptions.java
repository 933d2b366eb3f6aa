package org.keywell.loadgen.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is said of a service that the launcher starts for an experiment, and by the launcher. */
final class OwnServiceOptions {

  @Option(
      names = "--profile",
      paramLabel = "NAME|FILE",
      defaultValue = "${KEYWELL_HSM_PROFILE}",
      description =
          "Slow the service's HSM down to a device, such as luna-sa-1700: times are then simulated."
              + " Default: the environment's KEYWELL_HSM_PROFILE, else the HSM's own times.")
  private @Nullable String profile;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Send N requests to a service that has just been started, which are not measured, 0 to"
              + " 10000; each takes a key; default: ${DEFAULT-VALUE}.")
  private int warmUp = 20;

  @Option(
      names = "--time",
      hidden = true,
      description = "When the launcher began; the same in all its calls.")
  private @Nullable String time;

  @Nullable String profile() {
    return profile == null || profile.isBlank() ? null : profile;
  }

  int warmUp() throws MisuseException {
    WarmUp.check(warmUp);
    return warmUp;
  }

  /** The same for all calls of one launcher. */
  RunName name(String command) {
    return time == null ? RunName.now(command) : new RunName(command, time);
  }
}
