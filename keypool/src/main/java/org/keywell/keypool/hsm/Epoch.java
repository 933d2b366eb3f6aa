package org.keywell.keypool.hsm;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers the openings of devices: no two in one process have the same number, whichever devices
 * they are of, and a later one has a greater number. Keys in a device live as long as one opening.
 */
public final class Epoch {

  private static final AtomicLong LAST = new AtomicLong();

  private Epoch() {}

  /** The number of one more opening, at least 1. */
  public static long next() {
    return LAST.incrementAndGet();
  }
}
