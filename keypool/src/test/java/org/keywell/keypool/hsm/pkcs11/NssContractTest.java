package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.Hsm;

final class NssContractTest extends Pkcs11Contract {
  @Override
  protected Hsm open() {
    return NssToken.open(NssToken.config());
  }

  @Override
  protected Hsm openWithOtherWrappingKey() {
    return NssToken.open(NssToken.config("other-wrap"));
  }
}
