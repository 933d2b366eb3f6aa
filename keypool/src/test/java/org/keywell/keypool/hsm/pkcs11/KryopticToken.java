package org.keywell.keypool.hsm.pkcs11;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.keywell.testkit.RandomPin;

/** The one token of Kryoptic in this JVM, in a new database. */
final class KryopticToken {
  /** Names the module; docs/POST-QUANTUM.md says how to build it. */
  static final String MODULE = "KEYWELL_TEST_KRYOPTIC";

  private static final char[] PIN = RandomPin.characters();
  private static final Optional<String> PARAMETERS = Optional.of(parameters());

  private KryopticToken() {}

  private static String parameters() {
    try {
      return Files.createTempDirectory(Files.createDirectories(Path.of("target")), "kryoptic")
          .resolve("token.sql")
          .toAbsolutePath()
          .toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes what is missing and opens the token, for the caller to close. */
  static Pkcs11Hsm open(String wrappingKeyLabel) {
    Pkcs11Config config =
        new Pkcs11Config(
            Path.of(Objects.requireNonNull(System.getenv(MODULE))),
            "keywell-kryoptic",
            wrappingKeyLabel,
            PARAMETERS,
            4);
    try (Pin soPin = Pin.of(RandomPin.characters());
        Pin pin = Pin.of(PIN)) {
      TokenBootstrap.ensureToken(config, soPin, pin);
      TokenBootstrap.ensureWrappingKey(config, pin);
    }
    return Pkcs11Hsm.open(config, () -> Pin.of(PIN));
  }
}
