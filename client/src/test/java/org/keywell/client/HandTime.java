package org.keywell.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A clock that moves when something sleeps by it, or a test says so; no chance is left. */
final class HandTime implements Time {
  private final List<Duration> pauses = Collections.synchronizedList(new ArrayList<>());
  private long now;

  @Override
  public synchronized long nanos() {
    return now;
  }

  synchronized void pass(Duration time) {
    now += time.toNanos();
  }

  @Override
  public void sleep(Duration pause) {
    pauses.add(pause);
    pass(pause);
  }

  @Override
  public double chance() {
    return 0;
  }

  List<Duration> pauses() {
    return List.copyOf(pauses);
  }
}
