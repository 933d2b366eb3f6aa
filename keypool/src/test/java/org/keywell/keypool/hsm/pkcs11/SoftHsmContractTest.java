package org.keywell.keypool.hsm.pkcs11;

import org.junit.jupiter.api.Tag;
import org.keywell.keypool.hsm.Hsm;

@Tag("softhsm")
final class SoftHsmContractTest extends Pkcs11Contract {
  private final SoftHsmToken token = SoftHsmToken.create();

  @Override
  protected Hsm open() {
    return token.open();
  }

  @Override
  protected Hsm openWithOtherWrappingKey() {
    return token.open(token.addWrappingKey(OTHER_WRAPPING_KEY));
  }
}
