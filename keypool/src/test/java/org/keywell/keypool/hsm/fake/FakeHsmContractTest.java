package org.keywell.keypool.hsm.fake;

import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmContract;

final class FakeHsmContractTest extends HsmContract {
  @Override
  protected Hsm open() {
    return new FakeHsm();
  }

  @Override
  protected Hsm openWithOtherWrappingKey() {
    return new FakeHsm();
  }
}
