package org.keywell.keypool.hsm.pkcs11;

import java.time.Duration;

/**
 * Limits on the duration of calls, after which the device counts as hanging.
 *
 * @param call for every function that does not generate, more than zero
 * @param generation for {@code C_GenerateKeyPair} and {@code C_GenerateKey}, more than zero
 */
public record CallLimits(Duration call, Duration generation) {

  /** 10 and 60 seconds. */
  public static final CallLimits DEFAULT =
      new CallLimits(Duration.ofSeconds(10), Duration.ofSeconds(60));

  /**
   * @throws IllegalArgumentException if a limit is not more than zero
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
