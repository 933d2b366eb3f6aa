package org.keywell.listener;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides who makes room at a full port, whatever is spoken there. The connections that keep the
 * service waiting form groups: of each origin, those that rest between two requests, and those that
 * have a handshake, a request or an answer in transit. The largest group gives up a connection, the
 * one that has waited longest. So those who fill a port displace each other: a client from
 * elsewhere keeps its connections, and one of the same origin has as long for its request as it
 * takes to fill the port again.
 */
public final class Admission {

  private record Group(Origin origin, boolean resting) {}

  private static final class Tally<G> {
    private final G longestWaiting;
    private final long sinceNanos;
    private final int size;

    Tally(G longestWaiting, long sinceNanos, int size) {
      this.longestWaiting = longestWaiting;
      this.sinceNanos = sinceNanos;
      this.size = size;
    }

    /** Of equals, the first stays the longest-waiting. */
    Tally<G> and(Tally<G> other) {
      Tally<G> longer = other.sinceNanos - sinceNanos < 0 ? other : this;
      return new Tally<>(longer.longestWaiting, longer.sinceNanos, size + other.size);
    }

    /** Of groups of one size, the longest-waiting connection's gives way. */
    boolean goesBefore(Tally<G> other) {
      return size == other.size ? sinceNanos - other.sinceNanos < 0 : size > other.size;
    }
  }

  private Admission() {}

  /**
   * Returns which connection makes room.
   *
   * @param open in the order in which they came, as far as that is known
   * @return null if all keep their places
   */
  public static <G extends Guest> @Nullable G toMakeRoom(Collection<G> open) {
    Map<Group, Tally<G>> groups = new HashMap<>();
    for (G guest : open) {
      Guest.@Nullable Wait wait = guest.waiting();
      if (wait != null) {
        groups.merge(
            new Group(guest.origin(), wait.resting()),
            new Tally<>(guest, wait.sinceNanos(), 1),
            Tally::and);
      }
    }
    @Nullable Tally<G> first = null;
    for (Tally<G> each : groups.values()) {
      if (first == null || each.goesBefore(first)) {
        first = each;
      }
    }
    return first == null ? null : first.longestWaiting;
  }
}
