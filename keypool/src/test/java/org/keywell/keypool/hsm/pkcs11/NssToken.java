package org.keywell.keypool.hsm.pkcs11;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.keywell.testkit.Modules;
import org.keywell.testkit.RandomPin;

/**
 * The token of NSS softokn, in a new database. NSS takes one database per process, so the JVM has
 * one such token.
 */
public final class NssToken {
  private static final String TOKEN_LABEL = "keywell-nss";
  private static final String WRAPPING_KEY_LABEL = "keywell-wrap";
  private static final char[] PIN = RandomPin.characters();
  private static final Optional<String> PARAMETERS = Optional.of(parameters());

  private NssToken() {}

  private static String parameters() {
    try {
      Path directory = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "nss");
      return "configdir='sql:%s' certPrefix='' keyPrefix='' secmod='secmod.db' flags= "
              .formatted(directory.toAbsolutePath())
          + "dbTokenDescription='%s'".formatted(TOKEN_LABEL);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The configuration with the wrapping key of the given label. */
  public static Pkcs11Config config(String wrappingKeyLabel) {
    return new Pkcs11Config(Modules.nss(), TOKEN_LABEL, wrappingKeyLabel, PARAMETERS, 4);
  }

  public static Pkcs11Config config() {
    return config(WRAPPING_KEY_LABEL);
  }

  /** The user's PIN, for the caller to close. */
  public static Pin pin() {
    return Pin.of(PIN);
  }

  /** Bootstraps what is missing and opens the token, for the caller to close. */
  public static Pkcs11Hsm open(Pkcs11Config config) {
    try (Pin soPin = Pin.of(RandomPin.characters());
        Pin pin = pin()) {
      TokenBootstrap.ensureToken(config, soPin, pin);
      TokenBootstrap.ensureWrappingKey(config, pin);
    }
    return Pkcs11Hsm.open(config, NssToken::pin);
  }
}
