package org.keywell.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/**
 * Random PINs, so that no test has one in its source. Each is kept in {@code target/pins}, so that
 * {@code launcher/secrets.sh} finds it where it does not belong.
 */
public final class RandomPin {

  private static final Path MADE = Path.of("target", "pins");

  private RandomPin() {}

  public static char[] characters() {
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    String pin = HexFormat.of().formatHex(random);
    try {
      Files.createDirectories(MADE.toAbsolutePath().getParent());
      Files.write(MADE, List.of(pin), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return pin.toCharArray();
  }
}
