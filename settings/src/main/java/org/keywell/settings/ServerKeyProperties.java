package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.server-key.*}: a key in an HSM that serves TLS.
 *
 * @param label of the key in its token; null or blank: all keys are in files
 * @param device the HSM that has it; null or blank: the first that signs
 * @param bundles names of the SSL bundles of which it is the private key, at most 10; required with
 *     a label
 */
public record ServerKeyProperties(
    @Nullable String label, @Nullable String device, @DefaultValue Set<String> bundles) {

  private static final int MAX_BUNDLES = 10;

  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._-]{1,32}");

  public ServerKeyProperties {
    label = label == null || label.isBlank() ? null : label;
    device = device == null || device.isBlank() ? null : device;
    bundles = Set.copyOf(bundles);
    require("keywell.server-key.bundles", bundles.size(), 0, MAX_BUNDLES);
    if (label == null) {
      requireNothingElse(device, bundles);
    } else {
      require(
          LABEL.matcher(label).matches(),
          "keywell.server-key.label",
          "'" + label + "'",
          "1 to 32 of A-Z a-z 0-9 . _ -");
      if (bundles.isEmpty()) {
        throw new IllegalArgumentException(
            "keywell.server-key.label is set, which needs keywell.server-key.bundles: the names of"
                + " SSL bundles");
      }
    }
  }

  private static void requireNothingElse(@Nullable String device, Set<String> bundles) {
    if (device != null || !bundles.isEmpty()) {
      throw new IllegalArgumentException(
          "keywell.server-key.%s has no effect without keywell.server-key.label"
              .formatted(device == null ? "bundles" : "device"));
    }
  }
}
