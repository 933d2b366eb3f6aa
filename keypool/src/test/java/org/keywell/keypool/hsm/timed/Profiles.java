package org.keywell.keypool.hsm.timed;

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
        DurationRange.parse("600ms"),
        DurationRange.parse("130ms"),
        DurationRange.parse("70ms"),
        DurationRange.parse("20ms"));
  }

  /** Slow enough to be in the way, fast enough for a contract suite in real time. */
  static DeviceProfile fast() {
    return new DeviceProfile(
        "fast",
        "a test",
        3,
        1,
        DurationRange.parse("1ms..4ms"),
        DurationRange.parse("500us..1ms"),
        DurationRange.parse("500us"),
        DurationRange.parse("1ms..2ms"));
  }
}
