package org.keywell.operations.console;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The latest requests, up to a limit. Thread-safe without locks: adding is one write to the slot
 * for the request's number.
 */
final class RecentRequests {

  private final AtomicReferenceArray<@Nullable RecentRequest> slots;

  /**
   * @param capacity maximum number of requests kept, at least 1
   */
  RecentRequests(int capacity) {
    this.slots = new AtomicReferenceArray<>(capacity);
  }

  /** Adds one, unless a later one has its slot. */
  void add(RecentRequest request) {
    int slot = (int) (request.number() % slots.length());
    slots.accumulateAndGet(slot, request, RecentRequests::later);
  }

  /** Sorts newest first. While requests end, one in between may be missing. */
  List<RecentRequest> newestFirst() {
    List<RecentRequest> requests = new ArrayList<>(slots.length());
    for (int i = 0; i < slots.length(); i++) {
      RecentRequest request = slots.get(i);
      if (request != null) {
        requests.add(request);
      }
    }
    requests.sort(Comparator.comparingLong(RecentRequest::number).reversed());
    return requests;
  }

  private static @Nullable RecentRequest later(
      @Nullable RecentRequest a, @Nullable RecentRequest b) {
    return a == null || (b != null && b.number() > a.number()) ? b : a;
  }
}
