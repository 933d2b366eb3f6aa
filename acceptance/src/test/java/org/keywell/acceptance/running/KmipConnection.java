package org.keywell.acceptance.running;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/** A KMIP client's connection to this machine, for requests of version 1.4. */
public final class KmipConnection implements AutoCloseable {

  private static final int MINOR_VERSION = 4;

  private final SSLSocket socket;

  public KmipConnection(SSLContext context, int port) throws IOException {
    socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(30_000);
  }

  /** Requests an operation; returns the values of the response's enumerations by their names. */
  public List<String> ask(String operation, Item... payload) throws IOException {
    Item request =
        structure(
            "RequestMessage",
            structure(
                "RequestHeader",
                structure(
                    "ProtocolVersion",
                    integer("ProtocolVersionMajor", 1),
                    integer("ProtocolVersionMinor", MINOR_VERSION)),
                integer("BatchCount", 1)),
            structure(
                "BatchItem",
                Tag.named("Operation").item(operation),
                structure("RequestPayload", payload)));
    socket.getOutputStream().write(TtlvWriter.write(request));
    TtlvReader reader = new TtlvReader(TtlvLimits.STANDARD);
    byte[] response = Objects.requireNonNull(reader.next(socket.getInputStream()), "no response");
    List<String> found = new ArrayList<>();
    collect(reader.read(response), found);
    return found;
  }

  private static void collect(Item item, List<String> found) {
    if (item.value() instanceof Value.Structure(List<Item> items)) {
      items.forEach(each -> collect(each, found));
    } else if (item.value() instanceof Value.Enumerated(int value)) {
      Tag tag = Objects.requireNonNull(Tag.numbered(item.tag()));
      Enumerations.of(Objects.requireNonNull(tag.enumeration())).stream()
          .filter(each -> each.bits() == value)
          .forEach(each -> found.add(each.name()));
    }
  }

  private static Item structure(String tag, Item... items) {
    return Tag.named(tag).item(List.of(items));
  }

  private static Item integer(String tag, int value) {
    return Tag.named(tag).item(new Value.Int(value));
  }

  /** Whether the service has ended the connection, once it does. */
  public boolean ends() throws IOException {
    return socket.getInputStream().read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
