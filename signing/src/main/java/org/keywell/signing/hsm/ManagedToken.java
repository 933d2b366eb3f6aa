package org.keywell.signing.hsm;

import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.settings.StartRefusedException;

/**
 * The token that keeps managed keys, open by the wrapping key of those.
 *
 * @param device the same token, as the pools for signing have it
 */
public record ManagedToken(OpenDevice device, Pkcs11Hsm pkcs11) implements AutoCloseable {

  /**
   * Opens it.
   *
   * @throws StartRefusedException if the device is not there or lacks that wrapping key
   */
  static ManagedToken open(TokenAccess token, Devices devices, DeviceOpener opener) {
    OpenDevice device =
        devices.all().stream()
            .filter(each -> each.name().equals(token.name()))
            .findFirst()
            .orElseThrow(() ->
                new StartRefusedException(
                    "keywell.kmip.enabled: device %s, which keeps managed keys, cannot be used"
                        .formatted(token.name())));
    try {
      return new ManagedToken(device, opener.open(token));
    } catch (HsmException e) {
      throw new StartRefusedException(
          "keywell.kmip.wrapping-key-label: %s; ./keywell bootstrap makes the key"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Returns the id of the key that wraps managed keys. */
  public String wrappingKeyId() {
    return pkcs11.wrappingKeyId();
  }

  @Override
  public void close() {
    pkcs11.close();
  }
}
