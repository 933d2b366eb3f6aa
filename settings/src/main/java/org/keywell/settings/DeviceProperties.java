package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.DeviceRole;

/**
 * One device of {@code keywell.hsm.*}, complete: settings that it lacks are taken from those of all
 * devices.
 *
 * @param listed whether it is in {@code keywell.hsm.devices}, or the only one without a list
 * @param name 1 to 20 of {@code a-z 0-9 -}, in metrics and thread names
 * @param role what it does
 * @param weight its share of the signatures relative to other devices, 1 to 100
 * @param module as in {@link HsmProperties}, like the others below
 */
public record DeviceProperties(
    boolean listed,
    String name,
    DeviceRole role,
    int weight,
    @Nullable Path module,
    String tokenLabel,
    @Nullable Path pinFile,
    @Nullable String pin,
    @Nullable Path soPinFile,
    String wrappingKeyLabel,
    @Nullable String initializeParameters,
    int maxSessions,
    int unwrapSessions) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,20}");

  public DeviceProperties {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "keywell.hsm.devices: a name has 1 to 20 of a-z 0-9 -: '" + name + "'");
    }
    require(settings(listed, name) + "weight", weight, 1, 100);
    require(settings(listed, name) + "max-sessions", maxSessions, 4, 1000);
    require(settings(listed, name) + "unwrap-sessions", unwrapSessions, 1, 64);
  }

  /** Returns the start of messages about its settings; the name of a setting follows. */
  public String settings() {
    return settings(listed, name);
  }

  private static String settings(boolean listed, String name) {
    return listed ? "keywell.hsm.devices: device " + name + ": " : "keywell.hsm.";
  }

  /** Whether both are the same token, regardless of the path that names the module. */
  boolean isTokenOf(DeviceProperties other) {
    return tokenLabel.equals(other.tokenLabel) && Objects.equals(real(module), real(other.module));
  }

  private static @Nullable Path real(@Nullable Path module) {
    if (module == null) {
      return null;
    }
    try {
      return module.toRealPath();
    } catch (IOException e) {
      // Missing; opening it will report that.
      return module.toAbsolutePath().normalize();
    }
  }

  /** Omits the PIN. */
  @Override
  public String toString() {
    return "DeviceProperties[%s: %s, token %s]".formatted(name, module, tokenLabel);
  }
}
