package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates keys that restrict what they unwrap, where the module supports that. */
final class UnwrapBinding {
  private static final Logger log = LoggerFactory.getLogger(UnwrapBinding.class);

  /** A call that creates a key. */
  interface Making {

    /**
     * Creates the key.
     *
     * @param bound whether it gets a {@code CKA_UNWRAP_TEMPLATE}
     */
    void run(boolean bound);
  }

  private UnwrapBinding() {}

  /** Makes the call; again, without the template, if the module refuses the template. */
  static void make(Brand brand, Making making) {
    if (!brand.keepsUnwrapTemplate()) {
      making.run(false);
      return;
    }
    try {
      making.run(true);
    } catch (HsmException e) {
      if (e.reason() != Reason.UNSUPPORTED) {
        throw e;
      }
      making.run(false);
      log.warn("the module takes no CKA_UNWRAP_TEMPLATE: {}", e.getMessage());
    }
  }
}
