package org.keywell.service.ops.console;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The latest requests, up to a limit. Thread-safe without locks: adding is one write to the slot
 * that the request's number stands for.
 */
final class RecentRequests {

  private final AtomicReferenceArray<@Nullable RecentRequest> slots;

  /**
   * @param capacity requests that are kept at the most, at least 1
   */
  RecentRequests(int capacity) {
    this.slots = new AtomicReferenceArray<>(capacity);
  }

  /** Adds one; a later one in the same slot stays. */
  void add(RecentRequest request) {
    int slot = (int) (request.number() % slots.length());
    slots.accumulateAndGet(slot, request, RecentRequests::later);
  }

  /** The newest first. While requests end, one between two others may be missing. */
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
