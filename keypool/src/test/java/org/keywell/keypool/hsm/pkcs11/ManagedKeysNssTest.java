package org.keywell.keypool.hsm.pkcs11;

import org.junit.jupiter.api.Tag;

@Tag("nss")
final class ManagedKeysNssTest extends ManagedKeysContract {
  @Override
  protected Pkcs11Hsm open() {
    return NssToken.open(NssToken.config("managed"));
  }

  @Override
  protected Pkcs11Hsm openWithOtherWrappingKey() {
    return NssToken.open(NssToken.config("other-managed"));
  }

  @Override
  protected int longestSecret() {
    return 256;
  }
}
