package org.keywell.operations.console;

import org.springframework.context.SmartLifecycle;

/**
 * Ends the streams before the web server starts to wait for current requests: it would wait for
 * them until its timeout.
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

  /** Starts after all others, stops before them. */
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
