package org.keywell.signing.hsm;

import java.util.List;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.TokenData;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;

/**
 * An open device.
 *
 * @param weight its share of the signatures relative to other devices
 * @param config identifies its token
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

  /** Returns how many keys it unwraps concurrently. */
  public int unwrapSessions() {
    return config.unwrapSessions();
  }

  /** As {@link Hsm#data}. */
  public List<TokenData> data(String prefix) {
    return hsm.data(prefix);
  }

  /** As {@link Hsm#keepData}. */
  public void keepData(TokenData data) {
    hsm.keepData(data);
  }
}
