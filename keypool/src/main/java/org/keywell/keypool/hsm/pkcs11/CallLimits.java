package org.keywell.keypool.hsm.pkcs11;

import java.time.Duration;

/**
 * How long a call may take before the device counts as hanging.
 *
 * @param call of every function but those that generate, more than zero
 * @param generation of {@code C_GenerateKeyPair} and {@code C_GenerateKey}, more than zero
 */
public record CallLimits(Duration call, Duration generation) {

  /** 10 and 60 seconds. */
  public static final CallLimits DEFAULT =
      new CallLimits(Duration.ofSeconds(10), Duration.ofSeconds(60));

  /**
   * @throws IllegalArgumentException if one is not more than zero
   */
  public CallLimits {
    if (!call.isPositive() || !generation.isPositive()) {
      throw new IllegalArgumentException("a call's limit is not more than zero");
    }
  }

  boolean exceeded(CkFunction function, long nanos) {
    return nanos
        > switch (function) {
          case C_GENERATE_KEY_PAIR, C_GENERATE_KEY -> generation.toNanos();
          default -> call.toNanos();
        };
  }
}
