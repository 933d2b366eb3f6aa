package org.keywell.listener;

import java.net.InetAddress;
import java.time.Duration;

/** Has the handshakes of all ports take turns at the processor. Thread-safe. */
@FunctionalInterface
public interface HandshakeTurns {

  /**
   * Waits for a turn.
   *
   * @param limit by when the connection has been cut: what is left of it goes on without a turn
   * @return ends the turn; a second call does nothing
   */
  Runnable turn(InetAddress address, Duration limit) throws InterruptedException;
}
