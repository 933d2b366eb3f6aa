package org.keywell.keypool.hsm.pkcs11;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.UUID;
import org.keywell.testkit.RandomPin;
import org.keywell.testkit.SoftHsm2;

/** A new token of SoftHSM with a random label and random PINs, made by {@link TokenBootstrap}. */
public final class SoftHsmToken {
  public static final String WRAPPING_KEY_LABEL = "keywell-wrap";

  private final Pkcs11Config config;
  private final char[] pin;

  private SoftHsmToken(Pkcs11Config config, char[] pin) {
    this.config = config;
    this.pin = pin;
  }

  /** Makes a token with its wrapping key. */
  public static SoftHsmToken create() {
    return create(SoftHsm2.module());
  }

  /** Makes a token with its wrapping key in a SoftHSM that is behind another module. */
  public static SoftHsmToken create(Path module) {
    SoftHsmToken token = createWithoutWrappingKey(module);
    token.addWrappingKey(WRAPPING_KEY_LABEL);
    return token;
  }

  /** Makes a token that has a user PIN and nothing else. */
  public static SoftHsmToken createWithoutWrappingKey() {
    return createWithoutWrappingKey(SoftHsm2.module());
  }

  static SoftHsmToken createWithoutWrappingKey(Path module) {
    SoftHsmToken token = notYetCreated(module);
    try (Pin soPin = Pin.of(RandomPin.characters());
        Pin userPin = token.pin()) {
      TokenBootstrap.ensureToken(token.config, soPin, userPin);
    }
    return token;
  }

  /** The configuration and PIN of a token that a test will make itself. */
  public static SoftHsmToken notYetCreated() {
    return notYetCreated(SoftHsm2.module());
  }

  static SoftHsmToken notYetCreated(Path module) {
    String label = "keywell-" + UUID.randomUUID().toString().substring(0, 18);
    return of(module, label, RandomPin.characters());
  }

  /** One that somebody else has made, or will make. */
  static SoftHsmToken of(Path module, String label, char[] pin) {
    return new SoftHsmToken(
        new Pkcs11Config(module, label, WRAPPING_KEY_LABEL, Optional.empty(), 4), pin);
  }

  /** Adds a wrapping key for managed keys; returns the configuration that uses it. */
  public Pkcs11Config addManagedWrappingKey(String label) {
    Pkcs11Config withLabel = config.withWrappingKeyLabel(label);
    try (Pin userPin = pin()) {
      TokenBootstrap.ensureManagedWrappingKey(withLabel, userPin);
    }
    return withLabel;
  }

  /** Adds a wrapping key; returns the configuration that uses it. */
  public Pkcs11Config addWrappingKey(String label) {
    Pkcs11Config withLabel = config.withWrappingKeyLabel(label);
    try (Pin userPin = pin()) {
      TokenBootstrap.ensureWrappingKey(withLabel, userPin);
    }
    return withLabel;
  }

  public Pkcs11Config config() {
    return config;
  }

  /** The user's PIN, for the caller to close. */
  public Pin pin() {
    return Pin.of(pin);
  }

  /** The user's PIN for those who take it otherwise, such as a JCA {@code KeyStore}. */
  public char[] pinCharacters() {
    return pin.clone();
  }

  /** Writes the user's PIN to a file that its owner alone can read. */
  public Path writePinFile(Path directory) {
    try {
      Path file =
          Files.createFile(
              directory.resolve("pin"),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      return Files.writeString(file, new String(pin) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Opens the token, for the caller to close. */
  public Pkcs11Hsm open() {
    return open(config);
  }

  /** Opens the token by another configuration, such as one with another wrapping key. */
  public Pkcs11Hsm open(Pkcs11Config otherConfig) {
    return Pkcs11Hsm.open(otherConfig, this::pin);
  }
}
