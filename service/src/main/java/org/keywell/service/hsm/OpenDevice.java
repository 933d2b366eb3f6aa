package org.keywell.service.hsm;

import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;

/**
 * A device that is open.
 *
 * @param weight its share of the signatures beside those of other devices
 * @param config names its token
 * @param pkcs11 the device itself, at its own speed
 * @param hsm what all but the CA use: the device, or the device slowed down
 */
public record OpenDevice(
    String name,
    DeviceRole role,
    int weight,
    Pkcs11Config config,
    HsmCredentials credentials,
    Pkcs11Hsm pkcs11,
    Hsm hsm) {

  /** How many keys it unwraps at the same time. */
  public int unwrapSessions() {
    return config.unwrapSessions();
  }
}
