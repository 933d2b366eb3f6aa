package org.keywell.signing.fairness;

import java.time.Duration;

/** Whether a request is within its caller's quota. */
public sealed interface QuotaDecision {

  /** Within the quota; uses one unit of it. */
  sealed interface Granted extends QuotaDecision permits Unlimited, DayAllowance {

    /** Gives the unit back: the request does not take place. Call at most once. */
    void giveBack();
  }

  /** The caller has no quota. */
  record Unlimited() implements Granted {
    static final Unlimited INSTANCE = new Unlimited();

    @Override
    public void giveBack() {}
  }

  /**
   * The day's quota is used up.
   *
   * @param untilNextDay in UTC
   */
  record Used(Duration untilNextDay) implements QuotaDecision {}

  /** The reservation is used up, and the database does not say whether there is more. */
  record Unknown() implements QuotaDecision {
    static final Unknown INSTANCE = new Unknown();
  }
}
