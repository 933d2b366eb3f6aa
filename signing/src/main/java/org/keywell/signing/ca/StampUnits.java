package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.LongSupplier;
import org.keywell.ca.timestamp.TimeStampUnit;
import org.keywell.ca.token.P256Key;
import org.keywell.settings.StartRefusedException;
import org.keywell.settings.TsaProperties;
import org.keywell.signing.hsm.OpenDevice;

/** Opens the keys that sign time stamps, one in each device that signs. */
public final class StampUnits {

  private final TsaProperties settings;
  private final boolean listed;
  private final LongSupplier nanoClock;

  /**
   * @param listed whether the devices are a list, so that failures name them
   */
  StampUnits(TsaProperties settings, boolean listed, LongSupplier nanoClock) {
    this.settings = settings;
    this.listed = listed;
    this.nanoClock = nanoClock;
  }

  /**
   * Opens that of one device. It is reopened with the device.
   *
   * @throws StartRefusedException if its token or key is unusable, or its certificate is not for
   *     time stamps
   */
  public StampUnit open(OpenDevice device) {
    CaDevice token = new CaDevice(device, listed);
    Renewable<P256Key> key =
        token.use(
            () -> token.openKey("the time-stamp key", settings.keyLabel(), "bootstrap", nanoClock));
    List<X509Certificate> chain = key.last().chain();
    BoundedSigner signer = new BoundedSigner(TokenSigner.of(key), "keywell-time-stamps");
    try {
      return new StampUnit(
          device.name(), new TimeStampUnit(signer::sign, chain, settings.promise()), chain, signer);
    } catch (IllegalArgumentException e) {
      signer.close();
      throw new StartRefusedException(
          "key '%s' in device %s: %s".formatted(settings.keyLabel(), device.name(), e.getMessage()),
          e);
    }
  }
}
