package org.keywell.keypool;

import java.util.concurrent.locks.ReentrantLock;

/**
 * Guards the loaded keys of all devices, and tells who waits for one when another look makes sense.
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

  /** A key has come, or none will. To be called without the lock: who is told takes another one. */
  void changed() {
    onChange.run();
  }
}
