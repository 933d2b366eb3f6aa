package org.keywell.signing.caller;

/**
 * Limits on a caller's requests.
 *
 * @param ratePerSecond sustained requests per second that an instance admits; 0: unlimited
 * @param burst requests that may come at once; at least 1 if there is a rate
 * @param dailyQuota requests per day (UTC) that all instances together admit; 0: unlimited
 * @param queueSharePercent 1 to 100: the caller's maximum share of the queue's places, and its
 *     weight when callers take turns
 */
public record CallerLimits(int ratePerSecond, int burst, long dailyQuota, int queueSharePercent) {

  /** No limits except the service's own. */
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
