package org.keywell.service.ops.console;

import org.springframework.context.SmartLifecycle;

/**
 * Ends the streams before the web server begins to wait for the requests at hand: it would wait for
 * them until its patience ends.
 */
final class ConsoleLifecycle implements SmartLifecycle {

  private final ConsoleSampler sampler;
  private final Subscribers subscribers;
  private volatile boolean running;

  ConsoleLifecycle(ConsoleSampler sampler, Subscribers subscribers) {
    this.sampler = sampler;
    this.subscribers = subscribers;
  }

  @Override
  public void start() {
    sampler.start();
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    subscribers.close();
    sampler.stop();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** After all others at the start, and before them at the stop. */
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
