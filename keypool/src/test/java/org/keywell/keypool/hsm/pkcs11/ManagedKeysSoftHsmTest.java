package org.keywell.keypool.hsm.pkcs11;

import org.junit.jupiter.api.Tag;
import org.keywell.keypool.hsm.DigestAlgorithm;

@Tag("softhsm")
final class ManagedKeysSoftHsmTest extends ManagedKeysContract {
  private final SoftHsmToken token = SoftHsmToken.createWithoutWrappingKey();

  @Override
  protected Pkcs11Hsm open() {
    return token.open(token.addManagedWrappingKey("managed"));
  }

  @Override
  protected Pkcs11Hsm openWithOtherWrappingKey() {
    return token.open(token.addManagedWrappingKey("other-managed"));
  }

  /** With the zeros of its padding at least as long as the hash, without them unless hashed. */
  @Override
  protected boolean takesHmacKey(DigestAlgorithm hash, int bytes) {
    int padded = Math.ceilDiv(bytes, 8) * 8;
    int block = hash == DigestAlgorithm.SHA_256 ? 64 : 128;
    return padded >= hash.lengthBytes() && (padded == bytes || padded <= block);
  }
}
