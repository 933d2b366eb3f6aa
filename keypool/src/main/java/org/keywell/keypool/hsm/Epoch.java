package org.keywell.keypool.hsm;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Numbers for the openings of devices: unique within a process, across all devices, and greater for
 * later openings. Keys in a device live as long as one opening.
 */
public final class Epoch {

  private static final AtomicLong LAST = new AtomicLong();

  private Epoch() {}

  /** Returns the number of a new opening, at least 1. */
  public static long next() {
    return LAST.incrementAndGet();
  }
}
