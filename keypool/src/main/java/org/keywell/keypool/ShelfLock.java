package org.keywell.keypool;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.keywell.keypool.hsm.KeySpec;

/** Guards the loaded keys of all devices, so that who waits for one waits for any device. */
final class ShelfLock {

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<KeySpec, Condition> keyAdded = new EnumMap<>(KeySpec.class);

  ShelfLock() {
    Stream.of(KeySpec.values()).forEach(spec -> keyAdded.put(spec, lock.newCondition()));
  }

  ReentrantLock lock() {
    return lock;
  }

  /** Signalled once for each key of this kind that was added, and to all if none may be. */
  Condition keyAdded(KeySpec spec) {
    return Objects.requireNonNull(keyAdded.get(spec));
  }

  /** Has all look who wait for a key of any kind. */
  void signalAll() {
    keyAdded.values().forEach(Condition::signalAll);
  }
}
