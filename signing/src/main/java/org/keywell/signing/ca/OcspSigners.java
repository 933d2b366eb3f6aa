package org.keywell.signing.ca;

import java.util.function.LongSupplier;
import org.keywell.ca.ocsp.OcspUnit;
import org.keywell.settings.CaProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.OpenDevice;

/** Opens the keys that sign OCSP answers, one in each device that signs. */
public final class OcspSigners {

  private final CaProperties.Ocsp settings;
  private final boolean listed;
  private final LongSupplier nanoClock;

  /**
   * @param listed whether the devices are a list, so that failures name them
   */
  OcspSigners(CaProperties.Ocsp settings, boolean listed, LongSupplier nanoClock) {
    this.settings = settings;
    this.listed = listed;
    this.nanoClock = nanoClock;
  }

  /**
   * Opens that of one device. It is reopened with the device.
   *
   * @throws StartRefusedException if its token or key is unusable, or its certificate is not for
   *     OCSP answers
   */
  public OcspSigner open(OpenDevice device) {
    return ServiceKey.open(
        device,
        listed,
        "the OCSP key",
        "keywell-ocsp",
        settings.keyLabel(),
        nanoClock,
        (name, chain, signer) ->
            new OcspSigner(name, new OcspUnit(signer::sign, chain), chain, signer));
  }
}
