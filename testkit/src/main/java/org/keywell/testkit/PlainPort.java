package org.keywell.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/** Takes TLS for a broken request, as a port of Tomcat's without TLS does. */
public final class PlainPort implements AutoCloseable {
  private static final byte[] BAD_REQUEST =
      "HTTP/1.1 400 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n".getBytes(US_ASCII);

  private final ServerSocket listener;

  public PlainPort() throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::serve);
  }

  /** As somebody writes it who takes it for another port. */
  public URI uri() {
    return URI.create("https://127.0.0.1:" + listener.getLocalPort());
  }

  private void serve() {
    while (!listener.isClosed()) {
      try (Socket socket = listener.accept();
          InputStream in = socket.getInputStream()) {
        if (in.read(new byte[1 << 14]) > 0) {
          socket.getOutputStream().write(BAD_REQUEST);
        }
      } catch (IOException e) {
        // Closed, or left by the one at the other end: the next one is waited for.
      }
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
