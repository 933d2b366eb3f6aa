package org.keywell.keypool;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Guards the loaded keys of all devices, so that who waits for one waits for any device. */
final class ShelfLock {

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition keyAdded = lock.newCondition();

  ReentrantLock lock() {
    return lock;
  }

  /** Signalled when a key was added, or will not be. */
  Condition keyAdded() {
    return keyAdded;
  }
}
