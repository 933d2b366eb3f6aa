package org.keywell.signing.hsm;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.CallLimits;
import org.keywell.keypool.hsm.pkcs11.CallListener;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.settings.DeviceProperties;
import org.keywell.signing.start.NotThereYetException;
import org.keywell.signing.start.StartPatience;

/** Opens devices, and waits for those that are missing. */
final class DeviceOpener {

  private final CallLimits limits;
  private final HsmTimes times;
  private final List<Function<String, CallListener>> listeners;
  private final StartPatience patience;

  DeviceOpener(
      CallLimits limits,
      HsmTimes times,
      List<Function<String, CallListener>> listeners,
      StartPatience patience) {
    this.limits = limits;
    this.times = times;
    this.listeners = List.copyOf(listeners);
    this.patience = patience;
  }

  /** Prepares the tokens of all devices. */
  void prepare(TokenPreparation preparation) {
    var _ =
        patience.untilThere(() ->
            reaching(() -> {
              preparation.requireNoRefusedLogin();
              return preparation.ensure();
            }));
  }

  /**
   * Opens the devices that are there, and waits until one that signs is.
   *
   * @throws NotThereYetException if none comes in time
   * @throws HsmException if none signs, since one is unusable
   */
  Devices openThoseThatAreThere(List<DeviceProperties> settings) {
    Devices devices = new Devices(settings, this::open);
    try {
      return patience.untilThere(devices::requireOneThatSigns);
    } catch (RuntimeException e) {
      devices.close();
      throw e;
    }
  }

  /**
   * Opens one device.
   *
   * @throws NotThereYetException if it cannot be reached
   * @throws HsmException if it cannot be used
   */
  OpenDevice open(DeviceProperties device) {
    TokenAccess token = TokenAccess.of(device);
    Pkcs11Hsm pkcs11 = reaching(() -> open(token));
    return new OpenDevice(
        device.name(),
        device.role(),
        device.weight(),
        token.config(),
        token.credentials(),
        pkcs11,
        times.of(pkcs11));
  }

  /**
   * Opens a token by one of its wrapping keys.
   *
   * @throws HsmException if it cannot be used
   */
  Pkcs11Hsm open(TokenAccess token) {
    CallListener listener =
        listeners.stream()
            .map(each -> each.apply(token.name()))
            .reduce(CallListener.NONE, CallListener::andThen);
    return token.use(() -> {
      // Before each attempt: a refused PIN is not tried again.
      token.requireNoRefusedLogin();
      return Pkcs11Hsm.open(token.config(), token.credentials()::userPin, limits, listener);
    });
  }

  private static <T> T reaching(Supplier<T> attempt) {
    try {
      return attempt.get();
    } catch (HsmException e) {
      throw PassingFailure.isOf(e)
          ? new NotThereYetException("the HSM cannot be reached: " + e.getMessage(), e)
          : e;
    }
  }
}
