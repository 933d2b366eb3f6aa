package org.keywell.bench.profile;

/** What is sampled, in async-profiler's terms. */
public enum Event {
  /**
   * Processor time per thread, by a separate timer for each, which needs no privilege. Linux checks
   * such timers once per tick, 1 to 4 ms, regardless of the interval, so a sample counts as a share
   * of all samples, not as a time.
   */
  PROCESSOR("event=ctimer,interval=1ms", "collapsed"),
  /** Bytes allocated on the heap. */
  ALLOCATION("event=alloc,alloc=16k", "collapsed,total");

  private final String start;
  private final String form;

  Event(String start, String form) {
    this.start = start;
    this.form = form;
  }

  String start() {
    return start;
  }

  String form() {
    return form;
  }
}
