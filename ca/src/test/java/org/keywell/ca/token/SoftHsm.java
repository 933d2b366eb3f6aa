package org.keywell.ca.token;

import java.nio.file.Path;
import java.security.Provider;
import java.util.Set;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;

/** Tokens of SoftHSM2, open for as long as the tests run. A missing SoftHSM fails the tests. */
public final class SoftHsm {

  /** For all tests; they keep apart by labels and names of their own. */
  public static final SoftHsm SHARED = new SoftHsm(SoftHsmToken.create());

  /** Another one for all tests, behind the same module. */
  static final SoftHsm SECOND = new SoftHsm(SoftHsmToken.create());

  private final SoftHsmToken token;
  private final Pkcs11Hsm device;

  private SoftHsm(SoftHsmToken token) {
    this.token = token;
    this.device = token.open();
  }

  /** A token for one test. */
  static SoftHsm create() {
    return new SoftHsm(SoftHsmToken.create());
  }

  /** A token in a SoftHSM that is behind another module. */
  static SoftHsm behind(Path module) {
    return new SoftHsm(SoftHsmToken.create(module));
  }

  /** The CA's view of it. */
  public Provider keys() {
    return device.certifiedKeys(slotId());
  }

  Path module() {
    return token.config().module();
  }

  long slotId() {
    return device.slotId();
  }

  /** Counts the private keys in it that these labels do not explain, as {@code check} does. */
  long strays(Set<String> known) {
    return device.countStrayTokenKeys(known);
  }

  /** Returns the ids of all private keys in it, with or without a certificate. */
  Set<String> labels() {
    return device.tokenKeyIds();
  }

  /** All objects in it. */
  TokenObjects objects() {
    return new TokenObjects(module(), slotId());
  }
}
