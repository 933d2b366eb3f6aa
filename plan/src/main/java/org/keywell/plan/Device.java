package org.keywell.plan;

import java.time.Duration;
import org.keywell.loadgen.overload.QueueModel;

/**
 * What one HSM can do. Signings and generations share its lanes, each one operation at a time;
 * unwrapping has lanes of its own, as signing was hardly slower beside it (thesis, Table 2-11).
 *
 * @param generation KG, for a key pair; more than 0
 * @param wrapping to wrap and save a key that was made for the pool
 * @param unwrapping to load and unwrap a key; 0: loading is no limit
 * @param signing Si; more than 0
 * @param lanes signings at a time
 * @param generatorThreads lanes that generate at a time, at the most
 * @param unwrapLanes keys that are unwrapped at a time
 * @param idleAfter the pause between requests without which no key is generated
 * @param loadedKeyCapacity how many keys fit into its memory
 */
public record Device(
    Duration generation,
    Duration wrapping,
    Duration unwrapping,
    Duration signing,
    int lanes,
    int generatorThreads,
    int unwrapLanes,
    Duration idleAfter,
    int loadedKeyCapacity) {

  /** BR with a key generated for each request. */
  double baseRateOnTheFlyPerSecond() {
    return QueueModel.baseRatePerSecond(generation, signing, lanes);
  }

  /** BR with keys that are ready. */
  double baseRateWithPoolPerSecond() {
    return QueueModel.baseRatePerSecond(Duration.ZERO, signing, lanes);
  }

  /** The keys made for the pool while nobody signs. */
  double generatedWhenIdlePerSecond() {
    return Math.min(generatorThreads, lanes) / seconds(generation.plus(wrapping));
  }

  /** The keys made for the pool beside signing, in the lanes' time that signing leaves. */
  double generatedPerSecond(double requestsPerSecond) {
    double pause = 1 / requestsPerSecond - seconds(signing);
    if (!idleAfter.isZero() && pause < seconds(idleAfter)) {
      return 0;
    }
    double free = Math.max(0, lanes - requestsPerSecond * seconds(signing));
    return Math.min(generatorThreads, free) / seconds(generation.plus(wrapping));
  }

  /** The keys that can be loaded; infinite if loading is no limit. */
  double loadedPerSecond() {
    return loadedPerSecond(unwrapLanes);
  }

  double loadedPerSecond(int lanesThatUnwrap) {
    return lanesThatUnwrap / seconds(unwrapping);
  }

  /** Whether a key that is being generated can hold up a signing, for want of another lane. */
  boolean generatingHoldsUpSigning() {
    return generatorThreads >= lanes;
  }

  static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }
}
