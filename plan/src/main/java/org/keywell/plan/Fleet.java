package org.keywell.plan;

import java.time.Duration;
import org.keywell.loadgen.overload.QueueModel;

/** HSMs of one kind that share one queue and one pool evenly. Rates are for all of them. */
record Fleet(Device device, int hsms) {

  /** Returns BR with a key generated for each request. */
  double baseRateOnTheFlyPerSecond() {
    return hsms
        * QueueModel.baseRatePerSecond(device.generation(), device.signing(), device.lanes());
  }

  /** Returns BR with ready keys. */
  double baseRateWithPoolPerSecond() {
    return hsms * QueueModel.baseRatePerSecond(Duration.ZERO, device.signing(), device.lanes());
  }

  /** Returns the keys made for the pool while nobody signs. */
  double generatedWhenIdlePerSecond() {
    return hsms * madeOnLanes(device.lanes());
  }

  /** Returns the keys made for the pool in the lanes' time that signing leaves. */
  double generatedPerSecond(double requestsPerSecond) {
    double ofEach = requestsPerSecond / hsms;
    double signing = seconds(device.signing());
    boolean tooBusy =
        !device.idleAfter().isZero() && 1 / ofEach - signing < seconds(device.idleAfter());
    return tooBusy ? 0 : hsms * madeOnLanes(Math.max(0, device.lanes() - ofEach * signing));
  }

  private double madeOnLanes(double lanes) {
    return Math.min(device.generatorThreads(), lanes)
        / seconds(device.generation().plus(device.wrapping()));
  }

  /** Returns the keys that can be loaded; infinite if loading is no limit. */
  double loadedPerSecond(int unwrapLanes) {
    return hsms * (unwrapLanes / seconds(device.unwrapping()));
  }

  long loadedKeyCapacity() {
    return (long) hsms * device.loadedKeyCapacity();
  }

  static double seconds(Duration duration) {
    return duration.getSeconds() + duration.getNano() / 1e9;
  }
}
