package org.keywell.bench.tables.measure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.bench.tables.figure.ThesisRow.Kind;
import org.keywell.keypool.hsm.timed.DeviceProfile;
import org.keywell.keypool.hsm.timed.DeviceProfile.OperationTime;

/**
 * The devices on which rows are measured.
 *
 * @param asItIs whether the HSM is measured as it is
 * @param simulated the device that it is slowed to; empty: none
 */
public record DeviceChoice(boolean asItIs, Optional<SimulatedDevice> simulated) {
  private static final double GUESSED_GENERATION_MILLIS = 100;
  private static final double GUESSED_WRITE_MILLIS = 2;
  private static final double GUESSED_LOAD_MILLIS = 0.05;
  private static final double GUESSED_UNWRAP_MILLIS = 1;
  private static final double GUESSED_SIGNING_MILLIS = 4;

  /** Whether a row is measured in a column. Table 2-6 involves no device. */
  public boolean covers(Column column, ThesisRow row) {
    if (row.table() == TableId.TRANSFER) {
      return column == Column.NATIVE;
    }
    return switch (column) {
      case NATIVE -> asItIs;
      case SIMULATED -> simulated.isPresent();
      case SIMULATED_LANES ->
          row.table() == TableId.THREADS && simulated.flatMap(SimulatedDevice::lanes).isPresent();
    };
  }

  /** Returns the profile of a row in a column; empty for the device as it is. */
  Optional<DeviceProfile> profile(Column column, ThesisRow row) {
    return switch (column) {
      case NATIVE -> Optional.empty();
      case SIMULATED ->
          simulated.map(device -> row.kind() == Kind.REMOTE ? device.remote() : device.near());
      case SIMULATED_LANES -> simulated.flatMap(SimulatedDevice::lanes);
    };
  }

  /** Returns the name of the device of a row in a column. */
  public String name(Column column, ThesisRow row) {
    return profile(column, row).map(DeviceProfile::name).orElse("native");
  }

  /** Returns the device that simulated times imitate; empty if none is simulated. */
  public Optional<String> simulatedProfile() {
    return simulated.map(device -> device.near().name());
  }

  /** Describes the profiles under which rows are measured. */
  public List<String> describeProfiles() {
    return simulated.stream()
        .flatMap(device ->
            Stream.concat(
                Stream.of(device.near(), device.remote()).distinct(), device.lanes().stream()))
        .map(DeviceChoice::describe)
        .toList();
  }

  private static String describe(DeviceProfile profile) {
    return "%s: generation %s, wrapping %s, unwrapping %s, signing %s; lanes %d, unwrap lanes %d; %s"
        .formatted(
            profile.name(),
            describe(profile.generation()),
            describe(profile.wrapping()),
            describe(profile.unwrapping()),
            describe(profile.signing()),
            profile.lanes(),
            profile.unwrapLanes(),
            profile.source());
  }

  private static String describe(OperationTime range) {
    return range.min().equals(range.max())
        ? "%.1f ms".formatted(millis(range.min()))
        : "%.1f to %.1f ms".formatted(millis(range.min()), millis(range.max()));
  }

  /** Returns the expected milliseconds per key or request, before any was measured. */
  public double expectedMillis(Column column, ThesisRow row) {
    Optional<DeviceProfile> profile = profile(column, row);
    double generation = expected(profile.map(DeviceProfile::generation), GUESSED_GENERATION_MILLIS);
    double signing = expected(profile.map(DeviceProfile::signing), GUESSED_SIGNING_MILLIS);
    int atOnce = Math.min(row.threads(), profile.map(DeviceProfile::lanes).orElse(1));
    return switch (row.table()) {
      case GENERATION -> generation;
      case WRAP_AND_SAVE ->
          generation + expected(profile.map(DeviceProfile::wrapping), GUESSED_WRITE_MILLIS);
      case TRANSFER -> row.kind() == Kind.WRITE ? GUESSED_WRITE_MILLIS : GUESSED_LOAD_MILLIS;
      case LOAD_AND_UNWRAP ->
          expected(profile.map(DeviceProfile::unwrapping), GUESSED_UNWRAP_MILLIS);
      case WHOLE_SIGNING, THREADS, SIGNING_WHILE_UNWRAPPING -> signing / atOnce;
    };
  }

  private static double expected(Optional<OperationTime> range, double otherwise) {
    return range.map(r -> millis(r.min().plus(r.max()).dividedBy(2))).orElse(otherwise);
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
