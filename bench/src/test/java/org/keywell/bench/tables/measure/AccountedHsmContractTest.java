package org.keywell.bench.tables.measure;

import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmContract;
import org.keywell.keypool.hsm.fake.FakeHsm;

/** Keeping account changes nothing of what a device promises. */
final class AccountedHsmContractTest extends HsmContract {
  @Override
  protected Hsm open() {
    return new AccountedHsm(new FakeHsm());
  }

  @Override
  protected Hsm openWithOtherWrappingKey() {
    return new AccountedHsm(new FakeHsm());
  }
}
