package org.keywell.listener;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of a listener. For another one, a connection whose client has not proven who
 * it is makes room ({@link Admission}). So bare connections displace each other, and not clients.
 * Thread-safe.
 */
final class Places {

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
      @Nullable Occupation victim = threads >= most + LEAVING ? null : Admission.toMakeRoom(open);
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
}
