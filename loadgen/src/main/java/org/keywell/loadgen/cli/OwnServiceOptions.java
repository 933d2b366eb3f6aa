package org.keywell.loadgen.cli;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.service.ServiceProgram;
import picocli.CommandLine.Option;

/** Options for a service that an experiment starts for itself. */
final class OwnServiceOptions {

  @Option(
      names = "--profile",
      paramLabel = "NAME|FILE",
      defaultValue = "${KEYWELL_HSM_PROFILE}",
      description =
          "Slow the service's HSM down to a device, such as luna-sa-1700: times are then simulated."
              + " Default: KEYWELL_HSM_PROFILE, else the HSM's own times.")
  private @Nullable String profile;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Send N unmeasured requests to a service after its start, 0 to 10000; each takes a key;"
              + " default: ${DEFAULT-VALUE}.")
  private int warmUp = 20;

  @Nullable String profile() {
    return profile == null || profile.isBlank() ? null : profile;
  }

  int warmUp() throws MisuseException {
    WarmUp.check(warmUp);
    return warmUp;
  }

  /** Returns the service to start, as supplied by the program's user. */
  static ServiceProgram program(Supplier<ServiceProgram> known) throws MisuseException {
    try {
      return known.get();
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }
}
