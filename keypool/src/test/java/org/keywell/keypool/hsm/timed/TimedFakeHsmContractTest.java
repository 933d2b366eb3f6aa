package org.keywell.keypool.hsm.timed;

import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmContract;
import org.keywell.keypool.hsm.fake.FakeHsm;

final class TimedFakeHsmContractTest extends HsmContract {
  @Override
  protected Hsm open() {
    return new TimedHsm(new FakeHsm(), Profiles.fast());
  }

  @Override
  protected Hsm openWithOtherWrappingKey() {
    return new TimedHsm(new FakeHsm(), Profiles.fast());
  }
}
