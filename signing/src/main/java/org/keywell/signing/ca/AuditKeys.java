package org.keywell.signing.ca;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.signing.hsm.OpenDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the keys that sign the log's checkpoints, in each device that signs. */
public final class AuditKeys {

  private static final Logger log = LoggerFactory.getLogger(AuditKeys.class);

  private final String label;
  private final String ed25519Label;
  private final boolean listed;
  private final LongSupplier nanoClock;

  /**
   * @param label of the key in each token
   * @param ed25519Label of the other one
   * @param listed whether the devices are a list, so that failures name them
   */
  AuditKeys(String label, String ed25519Label, boolean listed, LongSupplier nanoClock) {
    this.label = label;
    this.ed25519Label = ed25519Label;
    this.listed = listed;
    this.nanoClock = nanoClock;
  }

  /**
   * Opens those of one device: that of EC P-256, and the Ed25519 key, if the token has one that
   * signs.
   *
   * @throws org.keywell.settings.StartRefusedException if its token or key is unusable
   */
  public List<TokenSigner> open(OpenDevice device) {
    CaDevice token = new CaDevice(device, listed);
    List<TokenSigner> all = new ArrayList<>();
    all.add(
        TokenSigner.of(
            token.use(() ->
                token.openKey("the audit key", label, CaKeySpec.EC_P256, "bootstrap", nanoClock))));
    try {
      Ed25519Signers.find(device, ed25519Label)
          .ifPresentOrElse(
              all::add,
              () ->
                  log.info(
                      "the token of device {} has no Ed25519 key '{}': only EC P-256 signs the log",
                      device.name(),
                      ed25519Label));
    } catch (HsmException e) {
      log.warn("device {} does not sign the log by Ed25519: {}", device.name(), e.getMessage());
    }
    return all;
  }
}
