package org.keywell.bench.profile;

/** What is sampled, as async-profiler is told. */
public enum Event {
  /**
   * Processor time of each thread, by a timer of its own: that needs no privilege. Linux looks at
   * such timers at its own tick, 1 to 4 ms, whatever the interval is, so a sample counts as a part
   * of all samples and not as a time.
   */
  PROCESSOR("event=ctimer,interval=1ms", "collapsed"),
  /** Bytes that were allocated on the heap. */
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
