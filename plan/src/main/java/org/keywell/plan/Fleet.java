package org.keywell.plan;

/** HSMs of the same sort that share one queue and one pool evenly. Rates are those of all. */
record Fleet(Device device, int hsms) {

  double baseRateOnTheFlyPerSecond() {
    return hsms * device.baseRateOnTheFlyPerSecond();
  }

  double baseRateWithPoolPerSecond() {
    return hsms * device.baseRateWithPoolPerSecond();
  }

  double generatedWhenIdlePerSecond() {
    return hsms * device.generatedWhenIdlePerSecond();
  }

  double generatedPerSecond(double requestsPerSecond) {
    return hsms * device.generatedPerSecond(requestsPerSecond / hsms);
  }

  double loadedPerSecond() {
    return hsms * device.loadedPerSecond();
  }

  long loadedKeyCapacity() {
    return (long) hsms * device.loadedKeyCapacity();
  }
}
