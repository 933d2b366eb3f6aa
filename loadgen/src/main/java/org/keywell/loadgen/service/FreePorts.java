package org.keywell.loadgen.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Finds two free consecutive ports: a service has its health and metrics at the next. */
public final class FreePorts {
  private static final int LOOKED_AT = 100;
  private static final int CONNECT_MILLIS = 1_000;

  private FreePorts() {}

  /**
   * Returns the first of them.
   *
   * @throws IOException if there are none among a hundred ports from {@code first} on
   */
  public static int from(int first) throws IOException {
    for (int port = first; port < first + LOOKED_AT; port++) {
      if (!listens(port) && !listens(port + 1)) {
        return port;
      }
    }
    throw new IOException(
        "no two ports in a row are free from %d to %d; set SERVER_PORT"
            .formatted(first, first + LOOKED_AT));
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
