package org.keywell.service.launch;

import java.util.List;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.settings.StartRefusedException;

/**
 * The arguments of {@code fill}.
 *
 * @param count target number of stored keys, 1 to 10,000,000
 */
record FillArguments(int count, KeySpec keySpec) {

  private static final int MAX_COUNT = 10_000_000;

  /**
   * @throws StartRefusedException if they are not {@code N} or {@code N --key-spec SPEC}
   */
  static FillArguments parse(List<String> arguments) {
    if (arguments.isEmpty()) {
      throw new StartRefusedException("fill needs the number of keys to store, such as fill 1000");
    }
    return new FillArguments(
        count(arguments.getFirst()), keySpec(arguments.subList(1, arguments.size())));
  }

  private static int count(String text) {
    try {
      int count = Integer.parseInt(text);
      if (count >= 1 && count <= MAX_COUNT) {
        return count;
      }
    } catch (NumberFormatException e) {
      throw new StartRefusedException("fill: '" + text + "' is not a number of keys", e);
    }
    throw new StartRefusedException("fill: " + text + " is not from 1 to " + MAX_COUNT);
  }

  private static KeySpec keySpec(List<String> options) {
    if (options.isEmpty()) {
      return KeySpec.RSA_2048;
    }
    String joined = String.join("=", options);
    if (!joined.startsWith("--key-spec=") || options.size() > 2) {
      throw new StartRefusedException("fill knows no option but --key-spec SPEC");
    }
    try {
      return KeySpec.ofLabel(joined.substring("--key-spec=".length()));
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException("fill: " + e.getMessage(), e);
    }
  }
}
