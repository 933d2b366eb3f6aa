package org.keywell.keypool.hsm.pkcs11;

import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.keywell.keypool.hsm.Hsm;

@Tag("nss")
final class NssContractTest extends Pkcs11Contract {
  @Override
  protected Hsm open() {
    return NssToken.open(NssToken.config());
  }

  @Override
  protected Hsm openWithOtherWrappingKey() {
    return NssToken.open(NssToken.config(OTHER_WRAPPING_KEY));
  }

  /** NSS keeps the attribute and does not look at it. */
  @Override
  protected boolean bindsUnwraps() {
    return false;
  }

  /** NSS pins where a key is and that it is sensitive, but not what an unwrapped one is for. */
  @Override
  protected Set<String> usesAddedByUnwrap() {
    return Set.of("CKA_DECRYPT", "CKA_UNWRAP", "CKA_SIGN_RECOVER", "CKA_DERIVE");
  }

  /** It refuses every data object of a token. */
  @Override
  protected boolean keepsData() {
    return false;
  }
}
