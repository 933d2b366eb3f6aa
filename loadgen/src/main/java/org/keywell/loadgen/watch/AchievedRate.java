package org.keywell.loadgen.watch;

import java.util.ArrayDeque;
import java.util.Deque;

/** The rate over the last seconds of a count that is read now and then. Not thread-safe. */
final class AchievedRate {
  private static final double WINDOW_SECONDS = 5;

  private record Mark(double seconds, long count) {}

  private final Deque<Mark> marks = new ArrayDeque<>();

  /** Starts at time 0 with count 0. */
  AchievedRate() {
    marks.addLast(new Mark(0, 0));
  }

  /**
   * Returns the rate since the last reading at least {@value #WINDOW_SECONDS} seconds ago.
   *
   * @param seconds since the start; never less than at the previous reading
   */
  double perSecond(double seconds, long count) {
    Mark now = new Mark(seconds, count);
    Mark from = marks.getFirst();
    while (marks.size() > 1 && second().seconds() <= seconds - WINDOW_SECONDS) {
      marks.removeFirst();
      from = marks.getFirst();
    }
    marks.addLast(now);
    double span = seconds - from.seconds();
    return span <= 0 ? 0 : (count - from.count()) / span;
  }

  private Mark second() {
    var looks = marks.iterator();
    looks.next();
    return looks.next();
  }
}
