package org.keywell.keypool.hsm.timed;

import org.keywell.keypool.hsm.timed.DeviceProfile.OperationTime;

/** Profiles for tests. */
final class Profiles {
  private Profiles() {}

  /** Generation 600 ms, wrapping 130 ms, unwrapping 70 ms, signing 20 ms. */
  static DeviceProfile profile(int lanes, int unwrapLanes) {
    return new DeviceProfile(
        "test",
        "a test",
        lanes,
        unwrapLanes,
        OperationTime.parse("600ms"),
        OperationTime.parse("130ms"),
        OperationTime.parse("70ms"),
        OperationTime.parse("20ms"));
  }

  /** Slow enough to be in the way, fast enough for a contract suite in real time. */
  static DeviceProfile fast() {
    return new DeviceProfile(
        "fast",
        "a test",
        3,
        1,
        OperationTime.parse("1ms..4ms"),
        OperationTime.parse("500us..1ms"),
        OperationTime.parse("500us"),
        OperationTime.parse("1ms..2ms"));
  }
}
