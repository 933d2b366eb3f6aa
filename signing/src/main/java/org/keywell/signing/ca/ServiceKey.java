package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.LongSupplier;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.TokenKey;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.OpenDevice;

/** A key in one device that the issuing CA has certified for one use. */
final class ServiceKey {

  private ServiceKey() {}

  /** Makes a unit of what it signs with, and of its chain. */
  @FunctionalInterface
  interface Unit<U> {
    U of(String device, List<X509Certificate> chain, BoundedSigner signer);
  }

  /**
   * Opens a key, and makes a unit with it. It is reopened with the device.
   *
   * @param listed whether the devices are a list, so that failures name them
   * @param what it is, for the log
   * @param threadName of the threads that sign, without their number
   * @throws StartRefusedException if token or key are unusable, or the certificate is not for this
   *     use
   */
  static <U> U open(
      OpenDevice device,
      boolean listed,
      String what,
      String threadName,
      String label,
      CaKeySpec spec,
      LongSupplier nanoClock,
      Unit<U> unit) {
    CaDevice token = new CaDevice(device, listed);
    Renewable<TokenKey> key =
        token.use(() -> token.openKey(what, label, spec, "bootstrap", nanoClock));
    BoundedSigner signer = new BoundedSigner(TokenSigner.of(key), threadName);
    try {
      return unit.of(device.name(), key.last().chain(), signer);
    } catch (IllegalArgumentException e) {
      signer.close();
      throw new StartRefusedException(
          "key '%s' in device %s: %s".formatted(label, device.name(), e.getMessage()), e);
    }
  }
}
