package org.keywell.service.hsm;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.service.settings.HsmProperties;
import org.keywell.service.settings.StartRefusedException;

/** Where the PINs come from: a file or the environment, never an argument. */
public final class HsmCredentials {

  private final HsmProperties properties;

  public HsmCredentials(HsmProperties properties) {
    this.properties = properties;
  }

  /**
   * The PIN of the token's normal user; the caller closes it.
   *
   * @throws StartRefusedException if none is configured, or its file is not fit to hold one
   */
  public Pin userPin() {
    if (properties.pinFile() != null) {
      return ofFile(properties.pinFile());
    }
    if (properties.pin() != null) {
      return Pin.of(properties.pin().toCharArray());
    }
    throw new StartRefusedException(
        "no PIN: set keywell.hsm.pin-file (a file of mode 0600) or KEYWELL_HSM_PIN");
  }

  /** Lends the PIN of the token's normal user to JCA, which wants characters; wiped afterwards. */
  public <T> T withUserPin(Function<char[], T> work) {
    try (Pin pin = userPin()) {
      char[] characters = pin.characters();
      try {
        return work.apply(characters);
      } finally {
        Arrays.fill(characters, '\0');
      }
    }
  }

  /** Whether the PIN of the security officer is configured, so that a token can be made. */
  public boolean maySetUpToken() {
    return properties.soPinFile() != null;
  }

  /**
   * The PIN of the security officer; the caller closes it.
   *
   * @throws StartRefusedException if none is configured, or its file is not fit to hold one
   */
  public Pin securityOfficerPin() {
    if (properties.soPinFile() == null) {
      throw new StartRefusedException("keywell.hsm.so-pin-file is not set");
    }
    return ofFile(properties.soPinFile());
  }

  private static Pin ofFile(Path file) {
    try {
      return Pin.ofFile(file);
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(String.valueOf(e.getMessage()), e);
    }
  }
}
