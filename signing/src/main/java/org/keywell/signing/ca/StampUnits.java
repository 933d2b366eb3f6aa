package org.keywell.signing.ca;

import java.util.function.LongSupplier;
import org.keywell.ca.timestamp.TimeStampUnit;
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
    return ServiceKey.open(
        device,
        listed,
        "the time-stamp key",
        "keywell-time-stamps",
        settings.keyLabel(),
        settings.keySpec(),
        nanoClock,
        (name, chain, signer) ->
            new StampUnit(
                name, new TimeStampUnit(signer::sign, chain, settings.promise()), chain, signer));
  }
}
