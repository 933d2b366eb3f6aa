package org.keywell.keypool.hsm.pkcs11;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.testkit.FaultyModule;

/** A faulty module without a fault is as good as what it forwards to. */
@Tag("softhsm")
final class FaultyModuleContractTest extends Pkcs11Contract {
  private final SoftHsmToken token;

  FaultyModuleContractTest(@TempDir Path directory) {
    token = SoftHsmToken.create(FaultyModule.create(directory).path());
  }

  @Override
  protected Hsm open() {
    return token.open();
  }

  @Override
  protected Hsm openWithOtherWrappingKey() {
    return token.open(token.addWrappingKey(OTHER_WRAPPING_KEY));
  }
}
