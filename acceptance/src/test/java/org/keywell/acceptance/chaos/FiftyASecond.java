package org.keywell.acceptance.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A profile of a device that signs about 50 times a second, one at a time: the peak of the thesis.
 * With it the device is the limit, and not the processor that the tests share.
 */
public final class FiftyASecond {

  private static final String PROFILE =
      """
      name: fifty-a-second
      source: the peak of the thesis
      lanes: 1
      unwrap-lanes: 1
      generation: 1ms
      wrapping: 1ms
      unwrapping: 1ms
      signing: 20ms
      """;

  private FiftyASecond() {}

  /** For {@code keywell.hsm.profile}; written there. */
  public static String profile(Path directory) throws IOException {
    return Files.writeString(directory.resolve("fifty-a-second.yaml"), PROFILE).toString();
  }
}
