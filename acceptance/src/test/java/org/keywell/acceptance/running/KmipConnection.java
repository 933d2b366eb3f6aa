package org.keywell.acceptance.running;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.kmip.client.Messages;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.Value;

/** A KMIP client's connection to this machine, for requests of version 1.4. */
public final class KmipConnection implements AutoCloseable {

  private final SSLSocket socket;
  private Item answer = Messages.structure("ResponseMessage");

  public KmipConnection(SSLContext context, int port) throws IOException {
    socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(30_000);
  }

  /** Requests an operation; returns the values of the response's enumerations by their names. */
  public List<String> ask(String operation, Item... payload) throws IOException {
    socket.getOutputStream().write(Messages.request(ProtocolVersion.V1_4, operation, payload));
    TtlvReader reader = new TtlvReader(TtlvLimits.STANDARD);
    byte[] response = reader.next(socket.getInputStream());
    if (response == null) {
      throw new EOFException("no response");
    }
    answer = reader.read(response);
    List<String> found = new ArrayList<>();
    collect(answer, found);
    return found;
  }

  /** Requests an AES-256 key, which must succeed; returns its identifier. */
  public String createAes() throws IOException {
    List<String> said = ask("Create", newAes());
    return text("UniqueIdentifier").orElseThrow(() -> new IOException(said.toString()));
  }

  /** Returns what a request for an AES-256 key says. */
  public static Item[] newAes() {
    return new Item[] {
      Tag.named("ObjectType").item("SymmetricKey"),
      Tag.named("TemplateAttribute").item(kind("AES", 256))
    };
  }

  /** Requests a key pair; returns the private key's identifier, empty if it is refused. */
  public Optional<String> createPair(KeySpec spec) throws IOException {
    String algorithm = spec.algorithm() == KeySpec.Algorithm.RSA ? "RSA" : "ECDSA";
    var _ =
        ask(
            "CreateKeyPair",
            Tag.named("CommonTemplateAttribute").item(kind(algorithm, spec.bits())));
    return text("PrivateKeyUniqueIdentifier");
  }

  /** Requests the value of a symmetric key, which must succeed. */
  public byte[] get(String id) throws IOException {
    List<String> said = ask("Get", Messages.text("UniqueIdentifier", id));
    return Messages.find(answer, "KeyMaterial")
        .map(value -> ((Value.Bytes) value).value())
        .orElseThrow(() -> new IOException(said.toString()));
  }

  /** Whether the HSM returns random bytes. */
  public boolean isServed() throws IOException {
    return ask("RNGRetrieve", Messages.integer("DataLength", 16)).contains("Success");
  }

  private static List<Item> kind(String algorithm, int bits) {
    return List.of(
        Messages.attribute(
            "Cryptographic Algorithm", Tag.named("CryptographicAlgorithm").item(algorithm)),
        Messages.attribute("Cryptographic Length", Messages.integer("CryptographicLength", bits)));
  }

  private Optional<String> text(String tag) {
    return Messages.find(answer, tag).map(value -> ((Value.Text) value).value());
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

  /** Whether the service has ended the connection, once it does. */
  public boolean ends() throws IOException {
    return socket.getInputStream().read() < 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
