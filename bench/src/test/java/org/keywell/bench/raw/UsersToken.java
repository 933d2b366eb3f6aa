package org.keywell.bench.raw;

import java.nio.file.Path;
import java.util.Map;
import org.keywell.bench.rig.HsmSettings;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;

/** A token of SoftHSM as a user has one: made before, with its wrapping key. */
public final class UsersToken {

  private UsersToken() {}

  /**
   * Makes one.
   *
   * @param folder for its PIN
   */
  public static HsmSettings create(Path folder) {
    SoftHsmToken token = SoftHsmToken.create();
    return HsmSettings.of(
        Map.of(
            "KEYWELL_HSM_MODULE", token.config().module().toString(),
            "KEYWELL_HSM_TOKENLABEL", token.config().tokenLabel(),
            "KEYWELL_HSM_WRAPPINGKEYLABEL", token.config().wrappingKeyLabel(),
            "KEYWELL_HSM_PINFILE", token.writePinFile(folder).toString()));
  }
}
