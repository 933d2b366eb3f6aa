package org.keywell.signing.fairness;

import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;

/** Callers with limits of their own. */
public final class Limited {

  private Limited() {}

  /** A caller whose share of places is so many percent. */
  public static Caller share(String name, int percent) {
    return caller(name, new CallerLimits(0, 0, 0, percent));
  }

  /** A caller that may ask so fast. */
  public static Caller rate(String name, int perSecond, int burst) {
    return caller(name, new CallerLimits(perSecond, burst, 0, 50));
  }

  /** A caller that may ask so often a day. */
  public static Caller quota(String name, long daily) {
    return caller(name, new CallerLimits(0, 0, daily, 50));
  }

  /** A caller with all rights and these limits. */
  public static Caller caller(String name, CallerLimits limits) {
    Caller all = Caller.onLoopback();
    return new Caller(name, all.roles(), all.keySpecs(), all.profiles(), all.identity(), limits);
  }
}
