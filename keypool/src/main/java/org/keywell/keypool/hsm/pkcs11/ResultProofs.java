package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * What became of proving results that a device returned as good. Thread-safe.
 *
 * @param state of the device; counts wrong results, as it counts failed calls
 */
record ResultProofs(DeviceState state) {

  /**
   * Records whether a result is right.
   *
   * @param function that returned it
   * @throws HsmException with {@link Reason#FAILED} if it is not: such a result leaves nobody's
   *     hands, and whoever asked for it is not to blame
   */
  void require(CkFunction function, boolean right) {
    state.result(function, right, System.nanoTime());
    if (!right) {
      throw new HsmException(Reason.FAILED, DeviceState.wrongResult(function));
    }
  }
}
