package org.keywell.signing.hsm;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.LoginHistory;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.settings.DeviceProperties;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;

/**
 * Where a device's token is and how to log in to it; nothing is open.
 *
 * @param name of the device
 * @param listed whether the device is one of a list, so that failures name it
 */
public record TokenAccess(
    String name, boolean listed, Pkcs11Config config, HsmCredentials credentials) {

  /** A call for a managed key lasts milliseconds at most. */
  private static final int MANAGED_SESSIONS = 16;

  /**
   * Returns that of one device.
   *
   * @throws StartRefusedException if its settings name no token
   */
  public static TokenAccess of(DeviceProperties device) {
    return new TokenAccess(
        device.name(), device.listed(), config(device), new HsmCredentials(device));
  }

  /** Returns those of all devices, in order. As {@link #of}. */
  public static List<TokenAccess> all(HsmProperties properties) {
    return properties.devices().stream().map(TokenAccess::of).toList();
  }

  /**
   * Returns that of the named device.
   *
   * @param name null: the only one
   * @throws StartRefusedException if there is none, or several without a name
   */
  public static TokenAccess named(HsmProperties properties, @Nullable String name) {
    List<DeviceProperties> devices = properties.devices();
    List<String> names = devices.stream().map(DeviceProperties::name).toList();
    if (name == null && devices.size() > 1) {
      throw new StartRefusedException(
          "there are several devices: name one of %s by --device".formatted(names));
    }
    return devices.stream()
        .filter(device -> name == null || device.name().equals(name))
        .findFirst()
        .map(TokenAccess::of)
        .orElseThrow(() ->
            new StartRefusedException(
                "no device has the name '%s'; known: %s".formatted(name, names)));
  }

  /**
   * Returns that of the device that keeps managed keys, by the wrapping key of those; empty if
   * there are none.
   */
  public static Optional<TokenAccess> managed(KeywellProperties properties) {
    return properties
        .managedDevice()
        .map(device -> {
          TokenAccess of = of(device);
          Pkcs11Config config = of.config;
          return new TokenAccess(
              of.name,
              of.listed,
              new Pkcs11Config(
                  config.module(),
                  config.tokenLabel(),
                  properties.kmip().wrappingKeyLabel(),
                  config.initializeParameters(),
                  MANAGED_SESSIONS,
                  1),
              of.credentials);
        });
  }

  /** Returns the token's label. */
  public String tokenLabel() {
    return config.tokenLabel();
  }

  /**
   * Checks that the token may be given a PIN; see {@link LoginHistory#requireNoFailure}.
   *
   * @throws HsmException if the last one was refused
   */
  public void requireNoRefusedLogin() {
    LoginHistory.requireNoFailure(config);
  }

  /** Returns this token by another wrapping key. */
  TokenAccess withWrappingKeyLabel(String label) {
    return new TokenAccess(name, listed, config.withWrappingKeyLabel(label), credentials);
  }

  /**
   * Logs in to the token for one piece of work with its wrapping keys.
   *
   * @throws HsmException if it cannot be used
   */
  <T> T login(BiFunction<Pkcs11Config, Pin, T> work) {
    return use(() -> {
      requireNoRefusedLogin();
      try (Pin pin = credentials.userPin()) {
        return work.apply(config, pin);
      }
    });
  }

  /**
   * Opens the token for a command; the caller closes it.
   *
   * @throws HsmException if it cannot be used
   */
  public Pkcs11Hsm open() {
    return use(() -> {
      requireNoRefusedLogin();
      return Pkcs11Hsm.open(config, credentials::userPin);
    });
  }

  /** Works with the token. If the device is listed, failures name it. */
  <T> T use(Supplier<T> work) {
    try {
      return work.get();
    } catch (HsmException e) {
      if (!listed) {
        throw e;
      }
      HsmException named =
          new HsmException(e.reason(), e.returnValue(), "device " + name + ": " + e.getMessage());
      named.addSuppressed(e);
      throw named;
    }
  }

  private static Pkcs11Config config(DeviceProperties device) {
    if (device.module() == null) {
      throw new StartRefusedException(
          device.settings()
              + "module is not set: the path of a PKCS#11 module (./keywell sets up SoftHSM2)");
    }
    try {
      return new Pkcs11Config(
          device.module().toAbsolutePath(),
          device.tokenLabel(),
          device.wrappingKeyLabel(),
          Optional.ofNullable(device.initializeParameters()),
          device.maxSessions(),
          device.unwrapSessions());
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(device.settings() + e.getMessage(), e);
    }
  }
}
