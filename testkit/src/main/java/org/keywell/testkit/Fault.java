package org.keywell.testkit;

import java.time.Duration;

/**
 * A fault in the calls of one PKCS#11 function of a {@link FaultyModule}. Immutable. By default it
 * hits every call, without limit.
 *
 * @param returnValue the {@code CK_RV} instead of the device's; 0: the call proceeds
 * @param delay how long the call waits before that
 * @param hangs whether the call waits until the fault is cleared
 * @param forgetsSession whether the call's session is closed
 * @param late whether this happens only after the device has done its work, which goes unreported
 * @param after number of calls to spare first
 * @param every of the others, hits one in this many
 * @param times number of calls to hit; {@link #ALWAYS}: no limit
 * @param corrupts whether the device's output is garbage, returned as good
 * @param perThousand of the calls that would be hit, hits this many in a thousand; 0: all
 * @param keepsOperation whether a failed {@code C_Sign} or {@code C_SignFinal} leaves the operation
 *     active, against the standard, as failed calls of other operations do
 */
public record Fault(
    long returnValue,
    Duration delay,
    boolean hangs,
    boolean forgetsSession,
    boolean late,
    long after,
    long every,
    long times,
    boolean corrupts,
    long perThousand,
    boolean keepsOperation) {

  /** No limit to the number of calls hit. */
  public static final long ALWAYS = -1;

  private static final Fault NOTHING =
      new Fault(0, Duration.ZERO, false, false, false, 0, 1, ALWAYS, false, 0, false);

  /** Makes calls return this value without calling the device. */
  public static Fault returning(long returnValue) {
    return NOTHING.thenReturning(returnValue);
  }

  /** Makes calls take longer. */
  public static Fault delayedBy(Duration delay) {
    return new Fault(0, delay, false, false, false, 0, 1, ALWAYS, false, 0, false);
  }

  /** Makes calls hang until the fault is cleared. */
  public static Fault hanging() {
    return new Fault(0, Duration.ZERO, true, false, false, 0, 1, ALWAYS, false, 0, false);
  }

  /** Makes the call's session disappear, and with it the keys that it made. */
  public static Fault forgettingItsSession() {
    return new Fault(0, Duration.ZERO, false, true, false, 0, 1, ALWAYS, false, 0, false);
  }

  /**
   * Corrupts the output of the device: one bit, or all of it; of {@code C_GenerateRandom}, which
   * then repeats itself, and of {@code C_Sign}, {@code C_SignFinal}, {@code C_WrapKey}, {@code
   * C_GetAttributeValue}, {@code C_Encrypt} and {@code C_Decrypt}.
   */
  public static Fault corrupting() {
    return new Fault(0, Duration.ZERO, false, false, false, 0, 1, ALWAYS, true, 0, false);
  }

  /** Makes the calls then return this value. */
  public Fault thenReturning(long value) {
    return new Fault(
        value,
        delay,
        hangs,
        forgetsSession,
        late,
        after,
        every,
        times,
        corrupts,
        perThousand,
        keepsOperation);
  }

  /** Lets the device do its work first. */
  public Fault afterTheWork() {
    return new Fault(
        returnValue,
        delay,
        hangs,
        forgetsSession,
        true,
        after,
        every,
        times,
        corrupts,
        perThousand,
        keepsOperation);
  }

  /** Spares the first calls. */
  public Fault after(long calls) {
    return new Fault(
        returnValue,
        delay,
        hangs,
        forgetsSession,
        late,
        calls,
        every,
        times,
        corrupts,
        perThousand,
        keepsOperation);
  }

  /** Hits only one in this many calls. */
  public Fault every(long calls) {
    return new Fault(
        returnValue,
        delay,
        hangs,
        forgetsSession,
        late,
        after,
        calls,
        times,
        corrupts,
        perThousand,
        keepsOperation);
  }

  /** Hits this many calls, then none. */
  public Fault times(long calls) {
    return new Fault(
        returnValue,
        delay,
        hangs,
        forgetsSession,
        late,
        after,
        every,
        calls,
        corrupts,
        perThousand,
        keepsOperation);
  }

  /** Hits calls pseudo-randomly, the same ones each time. */
  public Fault perThousand(int calls) {
    return new Fault(
        returnValue,
        delay,
        hangs,
        forgetsSession,
        late,
        after,
        every,
        times,
        corrupts,
        calls,
        keepsOperation);
  }

  /** Leaves the session's operation active when the calls fail. */
  public Fault keepingTheOperation() {
    return new Fault(
        returnValue,
        delay,
        hangs,
        forgetsSession,
        late,
        after,
        every,
        times,
        corrupts,
        perThousand,
        true);
  }
}
