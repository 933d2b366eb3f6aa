package org.keywell.plan;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.overload.QueueModel;

/**
 * The thesis's prediction for a rate over some time, from an empty queue.
 *
 * @param utilisation ρ = CR / BR
 * @param queueLength Q at the end, without a limit
 * @param latencySeconds L of that queue
 * @param secondsUntilQueueFull null if its limit is not reached
 * @param refusedShare of the requests that arrive once it is full
 * @param longestResponseMillis behind the longest possible queue, with the request's own signing
 * @param responseLimitHolds whether no request is refused, and none answered later than allowed
 */
public record QueueFigures(
    double utilisation,
    double queueLength,
    double latencySeconds,
    @Nullable Double secondsUntilQueueFull,
    double refusedShare,
    double longestResponseMillis,
    boolean responseLimitHolds) {

  /**
   * Computes them.
   *
   * @param keyPreparation KP: the generation time on the fly, 0 with ready keys
   */
  static QueueFigures of(
      PlanInput input,
      Duration keyPreparation,
      double ratePerSecond,
      Duration stretch,
      Duration responseLimit) {
    Device device = input.fleet().device();
    int lanes = device.lanes() * input.fleet().hsms();
    double baseRate = QueueModel.baseRatePerSecond(keyPreparation, device.signing(), lanes);
    double queue = QueueModel.queueLength(ratePerSecond, baseRate, stretch);
    Optional<Duration> full =
        QueueModel.timeUntilFull(ratePerSecond, baseRate, input.queueLimit())
            .filter(time -> time.compareTo(stretch) <= 0);
    Duration wait =
        QueueModel.latency(keyPreparation, device.signing(), Math.min(queue, input.queueLimit()))
            .dividedBy(lanes);
    Duration response = wait.plus(keyPreparation).plus(device.signing());
    return new QueueFigures(
        ratePerSecond / baseRate,
        queue,
        Fleet.seconds(QueueModel.latency(keyPreparation, device.signing(), queue)) / lanes,
        full.map(Fleet::seconds).orElse(null),
        full.isPresent() ? 1 - baseRate / ratePerSecond : 0,
        Fleet.seconds(response) * 1e3,
        full.isEmpty() && response.compareTo(responseLimit) <= 0);
  }
}
