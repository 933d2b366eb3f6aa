package org.keywell.listener;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of a listener, and which of them makes room for another one: of those that
 * have not proven who they are, the one that has waited longest at the address that has most of
 * them. So bare connections displace each other, and not clients. Thread-safe.
 */
final class Places {

  /** A subscriber usually has as many IPv6 addresses as it likes, with this in common. */
  private static final int PREFIX_BYTES = 8;

  /** Connections that have been cut but not yet left by the threads that serve them. */
  private static final int LEAVING = 250;

  private final int most;

  /** In the order in which they came. */
  private final Set<Occupation> open = new LinkedHashSet<>();

  private int threads;

  /**
   * @param most open at the same time
   */
  Places(int most) {
    this.most = most;
  }

  /**
   * Takes a place for a connection.
   *
   * @param displaced told of the one that is cut for it
   * @return false if all places are proven clients', or too many that were cut still end
   */
  synchronized boolean take(Occupation newcomer, Runnable displaced) {
    if (open.size() >= most) {
      @Nullable Occupation victim = threads >= most + LEAVING ? null : victim().orElse(null);
      if (victim == null) {
        return false;
      }
      open.remove(victim);
      victim.cut();
      displaced.run();
    }
    threads++;
    return open.add(newcomer);
  }

  private Optional<Occupation> victim() {
    Map<ByteBuffer, Integer> strangers = new HashMap<>();
    for (Occupation each : open) {
      if (!each.isProven()) {
        strangers.merge(origin(each.address()), 1, Integer::sum);
      }
    }
    // The first of equals is the oldest.
    return open.stream()
        .filter(each -> !each.isProven())
        .min(Comparator.comparingInt(each -> -strangers.getOrDefault(origin(each.address()), 0)));
  }

  /** The thread that served it has ended. */
  synchronized void leave(Occupation connection) {
    open.remove(connection);
    threads--;
    notifyAll();
  }

  synchronized int size() {
    return open.size();
  }

  synchronized boolean isEmpty() {
    return open.isEmpty();
  }

  /** Returns those that are open now. */
  synchronized List<Occupation> open() {
    return List.copyOf(open);
  }

  private static ByteBuffer origin(@Nullable InetAddress address) {
    if (address == null) {
      return ByteBuffer.allocate(0);
    }
    byte[] bytes = address.getAddress();
    return ByteBuffer.wrap(
        address instanceof Inet6Address ? Arrays.copyOf(bytes, PREFIX_BYTES) : bytes);
  }
}
