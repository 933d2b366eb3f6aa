package org.keywell.loadgen.cli;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine.Option;

/** What is said of a service that an experiment starts for itself. */
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

  @Nullable String profile() {
    return profile == null || profile.isBlank() ? null : profile;
  }

  int warmUp() throws MisuseException {
    WarmUp.check(warmUp);
    return warmUp;
  }

  /** The service to start, as whoever runs this knows it. */
  static ServiceProgram program(Supplier<ServiceProgram> known) throws MisuseException {
    try {
      return known.get();
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }
}
