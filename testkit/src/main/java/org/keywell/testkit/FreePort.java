package org.keywell.testkit;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that has to be told which one. It is below those that systems give to
 * outgoing connections, so that no client of another test gets it before the server does.
 */
public final class FreePort {

  /** Above the ports of well-known services. */
  private static final int LEAST = 10_240;

  /**
   * The ports that load generators in tests use come after it; Linux gives out those from 32,768.
   */
  private static final int BOUND = 26_000;

  private static final int ATTEMPTS = 100;

  private FreePort() {}

  /** Returns one that nobody listens at, at this moment. */
  public static int find() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = ThreadLocalRandom.current().nextInt(LEAST, BOUND);
      if (isFree(port)) {
        return port;
      }
    }
    throw new AssertionError("no free port among " + ATTEMPTS);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
