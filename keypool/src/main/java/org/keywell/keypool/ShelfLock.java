package org.keywell.keypool;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Guards the loaded keys of all devices, and notifies those that wait for one when to look again.
 */
final class ShelfLock {

  private final ReentrantLock lock = new ReentrantLock();
  private volatile Runnable onChange = () -> {};

  ReentrantLock lock() {
    return lock;
  }

  /** See {@link KeyPools#onKeys}. */
  void onChange(Runnable listener) {
    onChange = listener;
  }

  /** Reports that a key came, or none will. Call without the lock: the listener takes another. */
  void changed() {
    onChange.run();
  }
}
