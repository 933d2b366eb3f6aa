package org.keywell.keypool.hsm.timed;

import org.junit.jupiter.api.Tag;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmContract;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;

@Tag("softhsm")
final class TimedSoftHsmContractTest extends HsmContract {
  private final SoftHsmToken token = SoftHsmToken.create();

  @Override
  protected Hsm open() {
    return new TimedHsm(token.open(), Profiles.fast());
  }

  @Override
  protected Hsm openWithOtherWrappingKey() {
    return new TimedHsm(token.open(token.addWrappingKey(OTHER_WRAPPING_KEY)), Profiles.fast());
  }
}
