package org.keywell.signing.ca;

import java.util.Optional;
import java.util.function.LongSupplier;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.settings.ServerKeyProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.hsm.OpenDevice;

/** Opens the key in an HSM that serves TLS. */
public final class ServerKeys {

  private final ServerKeyProperties settings;
  private final boolean listed;
  private final LongSupplier nanoClock;

  /**
   * @param listed whether the devices are a list, so that failures name them
   */
  ServerKeys(ServerKeyProperties settings, boolean listed, LongSupplier nanoClock) {
    this.settings = settings;
    this.listed = listed;
    this.nanoClock = nanoClock;
  }

  /**
   * Opens it. It is reopened with its device.
   *
   * @throws StartRefusedException if its device is not there, or has no such key
   */
  public BoundedSigner open(Devices devices) {
    String label =
        Optional.ofNullable(settings.label())
            .orElseThrow(() -> new IllegalStateException("keywell.server-key.label is not set"));
    OpenDevice device =
        devices.signing().stream()
            .filter(each -> settings.device() == null || each.name().equals(settings.device()))
            .findFirst()
            .orElseThrow(() ->
                new StartRefusedException(
                    "the server's key is in device %s, which is not there"
                        .formatted(settings.device())));
    CaDevice token = new CaDevice(device, listed);
    return token.use(() ->
        new BoundedSigner(
            TokenSigner.of(
                token.openKey(
                    "the server's key", label, CaKeySpec.EC_P256, "server-request", nanoClock)),
            "keywell-server-key"));
  }
}
