package org.keywell.signing.ca;

import java.util.function.LongSupplier;
import org.keywell.signing.hsm.OpenDevice;

/** Opens the keys that sign the log's checkpoints, one in each device that signs. */
public final class AuditKeys {

  private final String label;
  private final boolean listed;
  private final LongSupplier nanoClock;

  /**
   * @param label of the key in each token
   * @param listed whether the devices are a list, so that failures name them
   */
  AuditKeys(String label, boolean listed, LongSupplier nanoClock) {
    this.label = label;
    this.listed = listed;
    this.nanoClock = nanoClock;
  }

  /**
   * Opens that of one device.
   *
   * @throws org.keywell.settings.StartRefusedException if its token or key is unusable
   */
  public RenewableAuditKey open(OpenDevice device) {
    CaDevice token = new CaDevice(device, listed);
    return token.use(() -> token.openAuditKey(label, nanoClock));
  }
}
