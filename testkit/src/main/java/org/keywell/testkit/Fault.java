package org.keywell.testkit;

import java.time.Duration;

/**
 * How calls of one PKCS#11 function go wrong in a {@link FaultyModule}. Immutable. Unless told
 * otherwise it hits each call, for ever.
 *
 * @param returnValue the {@code CK_RV} instead of the device's; 0: the call goes on
 * @param delay how long the call takes before that
 * @param hangs whether it waits until the fault is cleared
 * @param forgetsSession whether the session of the call is closed
 * @param late whether this happens once the device has done its work, which nobody is told of
 * @param after so many calls are spared first
 * @param every of the others, each so many-th is hit
 * @param times so many are hit; {@link #ALWAYS}: no limit
 * @param corrupts whether what the device gives is garbage, and returned as good
 * @param perThousand of the calls that would be hit, so many in a thousand are; 0: all
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
    long perThousand) {

  /** No limit to how many calls are hit. */
  public static final long ALWAYS = -1;

  private static final Fault NOTHING =
      new Fault(0, Duration.ZERO, false, false, false, 0, 1, ALWAYS, false, 0);

  /** The device is not asked, and this is returned. */
  public static Fault returning(long returnValue) {
    return NOTHING.thenReturning(returnValue);
  }

  /** The call takes longer. */
  public static Fault delayedBy(Duration delay) {
    return new Fault(0, delay, false, false, false, 0, 1, ALWAYS, false, 0);
  }

  /** The call does not return before the fault is cleared. */
  public static Fault hanging() {
    return new Fault(0, Duration.ZERO, true, false, false, 0, 1, ALWAYS, false, 0);
  }

  /** The session of the call is gone from now on, and with it the keys that it made. */
  public static Fault forgettingItsSession() {
    return new Fault(0, Duration.ZERO, false, true, false, 0, 1, ALWAYS, false, 0);
  }

  /**
   * The device does its work, and what it gives is spoilt: in one bit, or in all of it. For {@code
   * C_Sign}, {@code C_SignFinal} and {@code C_WrapKey}.
   */
  public static Fault corrupting() {
    return new Fault(0, Duration.ZERO, false, false, false, 0, 1, ALWAYS, true, 0);
  }

  /** And then this is returned. */
  public Fault thenReturning(long value) {
    return new Fault(
        value, delay, hangs, forgetsSession, late, after, every, times, corrupts, perThousand);
  }

  /** The device does its work first. */
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
        perThousand);
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
        perThousand);
  }

  /** Hits each so many-th call only. */
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
        perThousand);
  }

  /** Hits so many calls, then none. */
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
        perThousand);
  }

  /** Hits calls at random, though the same ones each time. */
  public Fault perThousand(int calls) {
    return new Fault(
        returnValue, delay, hangs, forgetsSession, late, after, every, times, corrupts, calls);
  }
}
