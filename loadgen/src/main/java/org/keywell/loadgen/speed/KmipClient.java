package org.keywell.loadgen.speed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvException;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;

/**
 * A KMIP client's connection to this machine, after a full handshake: no session is resumed. For
 * one thread.
 */
final class KmipClient implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final TtlvReader READER = new TtlvReader(TtlvLimits.STANDARD);

  private final SSLSocket socket;

  private KmipClient(SSLSocket socket) {
    this.socket = socket;
  }

  static KmipClient connect(SSLContext context, int port) throws IOException {
    Socket tcp = new Socket();
    try {
      tcp.setTcpNoDelay(true);
      tcp.setSoTimeout((int) LIMIT.toMillis());
      InetAddress here = InetAddress.getLoopbackAddress();
      tcp.connect(new InetSocketAddress(here, port), (int) LIMIT.toMillis());
      SSLSocket socket =
          (SSLSocket)
              context.getSocketFactory().createSocket(tcp, here.getHostAddress(), port, true);
      socket.startHandshake();
      return new KmipClient(socket);
    } catch (IOException e) {
      tcp.close();
      throw e;
    }
  }

  /**
   * Sends a request and returns the response.
   *
   * @throws IOException if the connection fails, or the operation does
   */
  Item ask(byte[] request) throws IOException {
    socket.getOutputStream().write(request);
    try {
      byte[] response = READER.next(socket.getInputStream());
      if (response == null) {
        throw new IOException("the service has ended the connection");
      }
      Item message = READER.read(response);
      KmipMessage.requireSuccess(message);
      return message;
    } catch (TtlvException e) {
      throw new IOException("the response is no KMIP message: " + e.getMessage(), e);
    }
  }

  /** Forgets the session with all its tickets, so that no later connection resumes it. */
  @Override
  public void close() throws IOException {
    socket.getSession().invalidate();
    socket.close();
  }
}
