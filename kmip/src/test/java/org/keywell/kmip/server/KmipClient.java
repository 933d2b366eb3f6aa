package org.keywell.kmip.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.keywell.kmip.message.Answer;
import org.keywell.kmip.message.Messages;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.TtlvWriter;

/** A client's connection. */
final class KmipClient implements AutoCloseable {

  final SSLSocket socket;

  KmipClient(SSLContext context, int port, String... versions) throws IOException {
    socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    if (versions.length > 0) {
      socket.setEnabledProtocols(versions);
    }
    socket.setSoTimeout(30_000);
    socket.startHandshake();
  }

  static byte[] message(String operation, Item... payload) {
    return TtlvWriter.write(
        Messages.request(ProtocolVersion.V1_4, List.of(), Messages.item(operation, payload)));
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Returns a response in few words. */
  String receive() throws IOException {
    byte[] message = new TtlvReader(TtlvLimits.STANDARD).next(socket.getInputStream());
    return Messages.words(new Answer(Objects.requireNonNull(message, "no response"), false));
  }

  String ask(String operation, Item... payload) throws IOException {
    send(message(operation, payload));
    return receive();
  }

  /** Whether the server has ended the connection, once it either does or sends something. */
  boolean ended() {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return !(e instanceof SocketTimeoutException);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
