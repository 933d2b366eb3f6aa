package org.keywell.service.ca;

import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.keywell.service.hsm.OpenDevice;
import org.keywell.service.settings.CaProperties;
import org.keywell.service.settings.StartRefusedException;

/** Opens the CA whose key is in a device. */
public final class CaOpener {

  private final CaProperties properties;
  private final boolean listed;
  private final LongSupplier nanoClock;
  private final InstantSource clock;

  /**
   * @param listed whether the devices are a list, so that failures name them
   */
  CaOpener(CaProperties properties, boolean listed, LongSupplier nanoClock, InstantSource clock) {
    this.properties = properties;
    this.listed = listed;
    this.nanoClock = nanoClock;
    this.clock = clock;
  }

  /**
   * That of one device.
   *
   * @throws StartRefusedException if its token or keys are not fit for use
   */
  public CaWatch open(OpenDevice device) {
    CaDevice token = new CaDevice(device, listed);
    return token.use(() -> token.open(properties, nanoClock, clock));
  }
}
