package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.hsm.pkcs11.CallLimits;
import org.keywell.keypool.hsm.timed.DeviceProfile;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * {@code keywell.hsm.*}. A single device's settings come from {@link #devices}.
 *
 * @param module the PKCS#11 module, a shared library
 * @param tokenLabel identifies the token, in any slot
 * @param pinFile a file that only its owner can read; takes precedence over {@code pin}
 * @param pin for the environment ({@code KEYWELL_HSM_PIN}), where a file is not possible
 * @param soPinFile the security officer's PIN, needed only to create a new token
 * @param wrappingKeyLabel the AES key that wraps pool keys
 * @param initializeParameters {@code C_Initialize} parameters, for modules that need some (NSS)
 * @param maxSessions sessions that Keywell opens at most, 4 to 1,000
 * @param unwrapSessions sessions that unwrap keys concurrently and own them, in addition to those,
 *     each with a loader thread, 1 to 64
 * @param callLimit how long a call may take before the device counts as hanging, 1 s to 10 min
 * @param generationLimit the same for the generation of a key pair, 1 s to 10 min
 * @param hangLimit how long a call may hang before the process ends, 10 s to an hour and not less
 *     than {@code callLimit}, or 0: never
 * @param bootstrap whether the start may create what the token lacks
 * @param acceptLostKeys whether a start goes on though a device's token lacks the wrapping key that
 *     it had when the instance last ran; for one start
 * @param profile the device whose timing is imitated, for experiments: a built-in profile's name or
 *     a file; null or blank: none
 * @param knownTokenKeys labels or ids of keys in the tokens that are neither the CA's nor a
 *     transport key, at most 100
 * @param listed the devices, at most 16; they inherit anything they do not set from the above;
 *     empty: the above is the only device
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
    @DefaultValue("4") int unwrapSessions,
    @DefaultValue("10s") Duration callLimit,
    @DefaultValue("60s") Duration generationLimit,
    @DefaultValue("30s") Duration hangLimit,
    @DefaultValue("never") Bootstrap bootstrap,
    @DefaultValue("false") boolean acceptLostKeys,
    @Nullable String profile,
    @DefaultValue List<String> knownTokenKeys,
    @Name("devices") @DefaultValue List<ListedDevice> listed) {

  /** The name of the device if there is no list. */
  public static final String ONLY_DEVICE = "hsm";

  private static final int MAX_DEVICES = 16;
  private static final int MAX_KNOWN_KEYS = 100;

  /** When token, wrapping key and CA keys are created. */
  public enum Bootstrap {
    /** Only by the command {@code bootstrap}; the start names what is missing. */
    NEVER,
    /** At the start, if they do not exist. */
    IF_MISSING
  }

  /**
   * {@code keywell.hsm.devices[].*}. Null values are inherited from those of all devices.
   *
   * @param pinFile with {@code pin}: if either is set, both are the device's own
   */
  public record ListedDevice(
      @Nullable String name,
      @DefaultValue("both") DeviceRole role,
      @DefaultValue("1") int weight,
      @Nullable Path module,
      @Nullable String tokenLabel,
      @Nullable Path pinFile,
      @Nullable String pin,
      @Nullable Path soPinFile,
      @Nullable String wrappingKeyLabel,
      @Nullable String initializeParameters,
      @Nullable Integer maxSessions,
      @Nullable Integer unwrapSessions) {

    /** Omits the PIN. */
    @Override
    public String toString() {
      return "ListedDevice[%s: %s, token %s]".formatted(name, module, tokenLabel);
    }
  }

  public HsmProperties {
    require("keywell.hsm.call-limit", callLimit, "1s", "10m");
    require("keywell.hsm.generation-limit", generationLimit, "1s", "10m");
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
    knownTokenKeys = List.copyOf(knownTokenKeys);
    if (knownTokenKeys.size() > MAX_KNOWN_KEYS
        || knownTokenKeys.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "keywell.hsm.known-token-keys: expected at most %d labels or ids, none of them blank"
              .formatted(MAX_KNOWN_KEYS));
    }
    listed = List.copyOf(listed);
    if (listed.size() > MAX_DEVICES) {
      throw new IllegalArgumentException(
          "keywell.hsm.devices: %d devices, expected %d at the most"
              .formatted(listed.size(), MAX_DEVICES));
    }
  }

  /**
   * Returns the devices in order, complete and checked; at least one.
   *
   * @throws IllegalArgumentException if one is invalid, or two are the same; the message names
   *     setting and device
   */
  public List<DeviceProperties> devices() {
    if (listed.isEmpty()) {
      return List.of(onlyDevice());
    }
    List<DeviceProperties> devices = new ArrayList<>();
    for (ListedDevice device : listed) {
      DeviceProperties complete = complete(device, devices.size());
      for (DeviceProperties other : devices) {
        requireOther(other, complete);
      }
      devices.add(complete);
    }
    if (devices.stream().noneMatch(device -> device.role().signs())) {
      throw new IllegalArgumentException(
          "keywell.hsm.devices: none has the role sign or both, so that nothing could be signed");
    }
    return List.copyOf(devices);
  }

  private DeviceProperties onlyDevice() {
    return new DeviceProperties(
        false,
        ONLY_DEVICE,
        DeviceRole.BOTH,
        1,
        module,
        tokenLabel,
        pinFile,
        pin,
        soPinFile,
        wrappingKeyLabel,
        initializeParameters,
        maxSessions,
        unwrapSessions);
  }

  private DeviceProperties complete(ListedDevice device, int index) {
    if (device.name() == null) {
      throw new IllegalArgumentException("keywell.hsm.devices[" + index + "].name is not set");
    }
    boolean ownPin = device.pinFile() != null || device.pin() != null;
    return new DeviceProperties(
        true,
        device.name(),
        device.role(),
        device.weight(),
        device.module() == null ? module : device.module(),
        device.tokenLabel() == null ? tokenLabel : device.tokenLabel(),
        ownPin ? device.pinFile() : pinFile,
        ownPin ? device.pin() : pin,
        device.soPinFile() == null ? soPinFile : device.soPinFile(),
        device.wrappingKeyLabel() == null ? wrappingKeyLabel : device.wrappingKeyLabel(),
        device.initializeParameters() == null
            ? initializeParameters
            : device.initializeParameters(),
        device.maxSessions() == null ? maxSessions : device.maxSessions(),
        device.unwrapSessions() == null ? unwrapSessions : device.unwrapSessions());
  }

  private static void requireOther(DeviceProperties one, DeviceProperties two) {
    if (one.name().equals(two.name())) {
      throw new IllegalArgumentException(
          "keywell.hsm.devices: two devices have the name " + one.name());
    }
    if (one.isTokenOf(two)) {
      throw new IllegalArgumentException(
          "keywell.hsm.devices: devices %s and %s are the same token: module %s, token-label %s"
              .formatted(one.name(), two.name(), two.module(), two.tokenLabel()));
    }
  }

  public CallLimits callLimits() {
    return new CallLimits(callLimit, generationLimit);
  }

  /** Returns the device whose timing is imitated; reads its file again. */
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
      // Without the cause: the message is complete, and operators see only complete ones.
      throw new IllegalArgumentException("keywell.hsm.profile: " + e.getMessage());
    }
  }

  /** Omits the PIN. */
  @Override
  public String toString() {
    return "HsmProperties[" + module + ", token " + tokenLabel + "]";
  }
}
