package org.keywell.kmip.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.keywell.kmip.client.Messages;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.Value;

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
    return Messages.request(ProtocolVersion.V1_4, operation, payload);
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Returns a response's texts and integers, and values of enumerations by their names. */
  String receive() throws IOException {
    TtlvReader reader = new TtlvReader(TtlvLimits.STANDARD);
    byte[] message = reader.next(socket.getInputStream());
    List<String> words = new ArrayList<>();
    collect(reader.read(Objects.requireNonNull(message, "no response")), words);
    return words.toString();
  }

  private static void collect(Item item, List<String> words) {
    switch (item.value()) {
      case Value.Structure(List<Item> items) -> items.forEach(each -> collect(each, words));
      case Value.Int(int value) -> words.add(Tag.nameOf(item.tag()) + "=" + value);
      case Value.Text(String text) -> words.add(Tag.nameOf(item.tag()) + "=" + text);
      case Value.Enumerated(int value) -> {
        String enumeration = Objects.requireNonNull(Tag.numbered(item.tag())).enumeration();
        var named =
            Enumerations.valued(Objects.requireNonNull(enumeration), value, ProtocolVersion.V1_4);
        words.add(Tag.nameOf(item.tag()) + "=" + Objects.requireNonNull(named).name());
      }
      default -> {}
    }
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
