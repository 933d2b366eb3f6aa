package org.keywell.signing.hsm;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.settings.DeviceProperties;
import org.keywell.settings.StartRefusedException;

/** Reads PINs from a file or the environment, never from an argument. */
public final class HsmCredentials {

  private final DeviceProperties device;

  public HsmCredentials(DeviceProperties device) {
    this.device = device;
  }

  /**
   * Returns the PIN of the token's normal user; the caller closes it.
   *
   * @throws StartRefusedException if none is configured, or its file is unsuitable
   */
  public Pin userPin() {
    if (device.pinFile() != null) {
      return ofFile(device.pinFile());
    }
    if (device.pin() != null) {
      return Pin.of(device.pin().toCharArray());
    }
    throw new StartRefusedException(
        device.listed()
            ? device.settings() + "no PIN: set its pin-file (a file of mode 0600), or that of all"
            : "no PIN: set keywell.hsm.pin-file (a file of mode 0600) or KEYWELL_HSM_PIN");
  }

  /** Lends the normal user's PIN to JCA, which needs characters; wipes them afterwards. */
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

  /** Whether the security officer's PIN is configured, so that a token can be created. */
  public boolean maySetUpToken() {
    return device.soPinFile() != null;
  }

  /**
   * Returns the security officer's PIN; the caller closes it.
   *
   * @throws StartRefusedException if none is configured, or its file is unsuitable
   */
  public Pin securityOfficerPin() {
    if (device.soPinFile() == null) {
      throw new StartRefusedException(device.settings() + "so-pin-file is not set");
    }
    return ofFile(device.soPinFile());
  }

  private static Pin ofFile(Path file) {
    try {
      return Pin.ofFile(file);
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(String.valueOf(e.getMessage()), e);
    }
  }
}
