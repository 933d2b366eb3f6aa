package org.keywell.service.fairness;

import java.time.Duration;

/** Whether a request is within its caller's quota. */
public sealed interface QuotaDecision {

  /** It is, and uses one of it. */
  sealed interface Granted extends QuotaDecision permits Unlimited, DayAllowance {

    /** The request comes to nothing: it uses none after all. To be called once at the most. */
    void giveBack();
  }

  /** The caller has no quota. */
  record Unlimited() implements Granted {
    static final Unlimited INSTANCE = new Unlimited();

    @Override
    public void giveBack() {}
  }

  /**
   * The quota of the day is used.
   *
   * @param untilNextDay in UTC
   */
  record Used(Duration untilNextDay) implements QuotaDecision {}

  /** Nothing is left of what was reserved, and the database does not say whether there is more. */
  record Unknown() implements QuotaDecision {
    static final Unknown INSTANCE = new Unknown();
  }
}
