package org.keywell.keypool.hsm.pkcs11;

/** Makes a device believe that its calls fail. For tests, of this module and of others. */
public final class FailingCalls {

  private FailingCalls() {}

  /** As many failures of a function as make the device count as down. */
  public static void report(Pkcs11Hsm hsm, CkFunction function, long returnValue) {
    for (int i = 0; i < DeviceState.FAILURES; i++) {
      long now = System.nanoTime();
      hsm.state().returned(function, returnValue, now, now);
    }
  }
}
