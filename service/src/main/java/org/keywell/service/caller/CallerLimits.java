package org.keywell.service.caller;

/**
 * How much a caller may ask for.
 *
 * @param ratePerSecond requests a second that an instance admits, sustained; 0: not limited
 * @param burst requests that may come at once; at least 1 if there is a rate
 * @param dailyQuota requests a day (UTC) that all instances together admit; 0: not limited
 * @param queueSharePercent 1 to 100: the most of the queue's places that the caller may have, and
 *     its weight when callers take turns
 */
public record CallerLimits(int ratePerSecond, int burst, long dailyQuota, int queueSharePercent) {

  /** No limit but those of the service. */
  public static final CallerLimits NONE = new CallerLimits(0, 0, 0, 100);

  public CallerLimits {
    if (ratePerSecond < 0 || burst < 0 || dailyQuota < 0) {
      throw new IllegalArgumentException("a limit is negative");
    }
    if (ratePerSecond > 0 && burst == 0) {
      throw new IllegalArgumentException("a rate needs a burst of at least 1");
    }
    if (queueSharePercent < 1 || queueSharePercent > 100) {
      throw new IllegalArgumentException("a share of the queue is 1 to 100 percent");
    }
  }
}
