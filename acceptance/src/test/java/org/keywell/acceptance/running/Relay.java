package org.keywell.acceptance.running;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A port that leads to another server while this is open, or to one after the other. */
public final class Relay implements AutoCloseable {

  private final ServerSocket listener;
  private volatile URI server;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  private Relay(ServerSocket listener, URI server) {
    this.listener = listener;
    this.server = server;
  }

  public static Relay start(int port, URI server) throws IOException {
    Relay relay = new Relay(new ServerSocket(port, 50, InetAddress.getLoopbackAddress()), server);
    Thread.ofVirtual().start(relay::accept);
    return relay;
  }

  public int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        lead(listener.accept());
      }
    } catch (IOException e) {
      // The listener is closed.
    }
  }

  private void lead(Socket near) throws IOException {
    URI to = server;
    try {
      Socket far = new Socket(InetAddress.getByName(to.getHost()), to.getPort());
      sockets.addAll(List.of(near, far));
      Thread.ofVirtual().start(() -> copy(near, far));
      Thread.ofVirtual().start(() -> copy(far, near));
    } catch (IOException e) {
      // The server is gone.
      near.close();
    }
  }

  /** Ends all connections, and leads the next ones to another server. */
  public void leadTo(URI other) throws IOException {
    server = other;
    end();
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One side has ended; both are closed.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    end();
  }

  private void end() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }
}
