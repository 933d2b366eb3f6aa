package org.keywell.service.settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.pkcs11.CallLimits;
import org.keywell.keypool.hsm.timed.DeviceProfile;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.hsm.*}.
 *
 * @param module the PKCS#11 module, a shared library
 * @param tokenLabel finds the token, whatever slot it is in
 * @param pinFile a file that only its owner can read; takes precedence over {@code pin}
 * @param pin for the environment ({@code KEYWELL_HSM_PIN}), where no file can be had
 * @param soPinFile the security officer's PIN, needed only to make a new token
 * @param wrappingKeyLabel the AES key that wraps pool keys
 * @param initializeParameters {@code C_Initialize} parameters, for modules that want some (NSS)
 * @param maxSessions sessions that Keywell opens at the most, 4 to 1,000
 * @param callLimit how long a call may take before the device counts as hanging, 1 s to 10 min
 * @param generationLimit the same for the generation of a key pair, 1 s to 10 min
 * @param hangLimit how long a call may hang before the process ends, 10 s to an hour and not less
 *     than {@code callLimit}, or 0: it does not
 * @param bootstrap whether the start may make what the token lacks
 * @param profile the device whose times are imitated, for experiments: a built-in profile's name or
 *     a file; null or blank: none
 */
public record HsmProperties(
    @Nullable Path module,
    @DefaultValue("keywell") String tokenLabel,
    @Nullable Path pinFile,
    @Nullable String pin,
    @Nullable Path soPinFile,
    @DefaultValue("keywell-wrapping") String wrappingKeyLabel,
    @Nullable String initializeParameters,
    @DefaultValue("64") int maxSessions,
    @DefaultValue("10s") Duration callLimit,
    @DefaultValue("60s") Duration generationLimit,
    @DefaultValue("30s") Duration hangLimit,
    @DefaultValue("never") Bootstrap bootstrap,
    @Nullable String profile) {

  private static final Duration MIN_LIMIT = Duration.ofSeconds(1);
  private static final Duration MAX_LIMIT = Duration.ofMinutes(10);

  /** When token, wrapping key and CA keys are made. */
  public enum Bootstrap {
    /** Only by the command {@code bootstrap}; the start names what is missing. */
    NEVER,
    /** At the start, if they do not exist. */
    IF_MISSING
  }

  public HsmProperties {
    if (maxSessions < 4 || maxSessions > 1000) {
      throw new IllegalArgumentException(
          "keywell.hsm.max-sessions is " + maxSessions + ", expected 4-1000");
    }
    requireLimit("call-limit", callLimit);
    requireLimit("generation-limit", generationLimit);
    if (!hangLimit.isZero()
        && (hangLimit.compareTo(Duration.ofSeconds(10)) < 0
            || hangLimit.compareTo(Duration.ofHours(1)) > 0)) {
      throw new IllegalArgumentException(
          "keywell.hsm.hang-limit is " + hangLimit + ", expected 10s-1h, or 0");
    }
    if (hangLimit.isPositive() && hangLimit.compareTo(callLimit) < 0) {
      throw new IllegalArgumentException(
          "keywell.hsm.hang-limit is %s, less than call-limit, which is %s"
              .formatted(hangLimit, callLimit));
    }
    profile = profile == null || profile.isBlank() ? null : profile.strip();
    deviceProfile(profile);
  }

  private static void requireLimit(String name, Duration limit) {
    if (limit.compareTo(MIN_LIMIT) < 0 || limit.compareTo(MAX_LIMIT) > 0) {
      throw new IllegalArgumentException(
          "keywell.hsm." + name + " is " + limit + ", expected 1s-10m");
    }
  }

  /** How long calls may take. */
  public CallLimits callLimits() {
    return new CallLimits(callLimit, generationLimit);
  }

  /** The device whose times are imitated; reads its file again. */
  public Optional<DeviceProfile> deviceProfile() {
    return deviceProfile(profile);
  }

  private static Optional<DeviceProfile> deviceProfile(@Nullable String profile) {
    if (profile == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(DeviceProfile.named(profile));
    } catch (IllegalArgumentException e) {
      // Without the cause: the message is complete, and only such are shown to operators.
      throw new IllegalArgumentException("keywell.hsm.profile: " + e.getMessage());
    }
  }

  /** Without the PIN. */
  @Override
  public String toString() {
    return "HsmProperties[" + module + ", token " + tokenLabel + "]";
  }
}
