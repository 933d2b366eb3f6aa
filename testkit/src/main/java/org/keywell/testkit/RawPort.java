package org.keywell.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A TLS server as it should not be: one connection after another, each in the same way. */
public final class RawPort implements AutoCloseable {
  private static final byte[] BAD_REQUEST =
      "HTTP/1.1 400 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n".getBytes(US_ASCII);

  private interface Conversation {
    void hold(Socket socket) throws IOException;
  }

  private final ServerSocket listener;
  private final Conversation conversation;

  private RawPort(Conversation conversation) throws IOException {
    this.conversation = conversation;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::serve);
  }

  /** Takes TLS for a broken request, as a port of Tomcat's without TLS does. */
  public static RawPort withoutTls() throws IOException {
    return new RawPort(socket -> {
      if (socket.getInputStream().read(new byte[1 << 14]) > 0) {
        socket.getOutputStream().write(BAD_REQUEST);
      }
    });
  }

  /** Closes the connection in the middle of the handshake, without an alert. */
  public static RawPort endingTheHandshake() throws IOException {
    return new RawPort(socket -> socket.getInputStream().read(new byte[1 << 14]));
  }

  /**
   * Requires a client certificate and refuses a wrong one by an alert that arrives: what else the
   * client has sent is read first, since a close with unread bytes would reset the connection.
   */
  public static RawPort refusing(SSLContext tls) throws IOException {
    return new RawPort(socket -> {
      SSLSocket secured = (SSLSocket) tls.getSocketFactory().createSocket(socket, null, false);
      secured.setNeedClientAuth(true);
      try {
        secured.startHandshake();
      } catch (IOException e) {
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      }
    });
  }

  /** The address by which it is taken for a server with TLS. */
  public URI uri() {
    return URI.create("https://127.0.0.1:" + listener.getLocalPort());
  }

  private void serve() {
    while (!listener.isClosed()) {
      try (Socket socket = listener.accept()) {
        conversation.hold(socket);
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
