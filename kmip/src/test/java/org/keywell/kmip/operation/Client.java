package org.keywell.kmip.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.kmip.client.Messages.structure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.keywell.kmip.client.Messages;
import org.keywell.kmip.message.RequestProcessor;
import org.keywell.kmip.object.AttributeForm;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.TtlvReader;
import org.keywell.kmip.ttlv.Value;

/** A client of one version, without a network. */
final class Client {

  /** A refusal, by the name of its reason in the client's version. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused(String reason, String message) {
      super(reason + ": " + message);
    }
  }

  private final RequestProcessor<KmipCaller> server;
  private final ProtocolVersion version;
  private final KmipCaller caller;

  Client(RequestProcessor<KmipCaller> server, ProtocolVersion version, KmipCaller caller) {
    this.server = server;
    this.version = version;
    this.caller = caller;
  }

  boolean isTwo() {
    return version.isAtLeast(ProtocolVersion.V2_0);
  }

  /** Returns an operation's payload. */
  List<Item> ask(String operation, Item... payload) {
    Item response =
        new TtlvReader(TtlvLimits.STANDARD)
            .read(server.process(Messages.request(version, operation, payload), caller).message());
    List<Item> item = items(only(items(response), "BatchItem"));
    if (((Value.Enumerated) only(item, "ResultStatus").value()).value() != 0) {
      int reason = ((Value.Enumerated) only(item, "ResultReason").value()).value();
      throw new Refused(
          String.valueOf(Enumerations.valued("ResultReason", reason, version))
              .replaceAll(".*name=([A-Za-z]+).*", "$1"),
          text(only(item, "ResultMessage")));
    }
    return items(only(item, "ResponsePayload"));
  }

  /** Returns attributes in the version's structure. */
  Item template(String tagOf1, String tagOf2, AttributeValue... attributes) {
    AttributeForm form = new AttributeForm(version);
    return structure(
        isTwo() ? tagOf2 : tagOf1, Stream.of(attributes).map(form::write).toArray(Item[]::new));
  }

  String createAes(int bits, AttributeValue... more) {
    List<AttributeValue> all =
        new ArrayList<>(
            List.of(
                attribute("Cryptographic Algorithm", choice("CryptographicAlgorithm", "AES")),
                attribute("Cryptographic Length", new Value.Int(bits)),
                attribute("Cryptographic Usage Mask", new Value.Int(0xC | 0x30))));
    all.addAll(List.of(more));
    return text(
        only(
            ask(
                "Create",
                Tag.named("ObjectType").item("SymmetricKey"),
                template("TemplateAttribute", "Attributes", all.toArray(AttributeValue[]::new))),
            "UniqueIdentifier"));
  }

  /** Returns the identifiers of the private and the public key. */
  List<String> createPair(String algorithm, int bits) {
    List<Item> answer =
        ask(
            "CreateKeyPair",
            template(
                "CommonTemplateAttribute",
                "CommonAttributes",
                attribute("Cryptographic Algorithm", choice("CryptographicAlgorithm", algorithm)),
                attribute("Cryptographic Length", new Value.Int(bits))),
            template(
                "PrivateKeyTemplateAttribute",
                "PrivateKeyAttributes",
                attribute("Cryptographic Usage Mask", new Value.Int(1))),
            template(
                "PublicKeyTemplateAttribute",
                "PublicKeyAttributes",
                attribute("Cryptographic Usage Mask", new Value.Int(2))));
    return List.of(
        text(only(answer, "PrivateKeyUniqueIdentifier")),
        text(only(answer, "PublicKeyUniqueIdentifier")));
  }

  /** Returns a key's material. */
  byte[] get(String id, Item... more) {
    Item[] payload = Stream.concat(Stream.of(id(id)), Stream.of(more)).toArray(Item[]::new);
    List<Item> block = keyBlock(ask("Get", payload));
    Item value = only(block, "KeyValue");
    return value.value() instanceof Value.Bytes bytes
        ? bytes.value()
        : ((Value.Bytes) only(items(value), "KeyMaterial").value()).value();
  }

  static List<Item> keyBlock(List<Item> answer) {
    return items(only(items(answer.getLast()), "KeyBlock"));
  }

  String state(String id) {
    Item name =
        isTwo()
            ? Tag.named("AttributeReference")
                .item(new Value.Enumerated(Tag.named("State").number()))
            : Tag.named("AttributeName").item(new Value.Text("State"));
    Item answer = ask("GetAttributes", id(id), name).getLast();
    Item state = isTwo() ? items(answer).getFirst() : only(items(answer), "AttributeValue");
    int value = ((Value.Enumerated) state.value()).value();
    return Enumerations.of("State").get(value - 1).name();
  }

  List<String> locate(AttributeValue... conditions) {
    AttributeForm form = new AttributeForm(version);
    Item[] items = Stream.of(conditions).map(form::write).toArray(Item[]::new);
    return ask("Locate", isTwo() ? new Item[] {structure("Attributes", items)} : items).stream()
        .filter(item -> item.tag() == Tag.named("UniqueIdentifier").number())
        .map(Client::text)
        .toList();
  }

  void revoke(String id, String why) {
    List<Item> _ =
        ask(
            "Revoke",
            id(id),
            structure("RevocationReason", Tag.named("RevocationReasonCode").item(why)));
  }

  static Item id(String id) {
    return Tag.named("UniqueIdentifier").item(new Value.Text(id));
  }

  static Value choice(String enumeration, String name) {
    return new Value.Enumerated(Enumerations.named(enumeration, name).bits());
  }

  static AttributeValue attribute(String name, Value value) {
    return new AttributeValue(Attributes.named(name), null, value);
  }

  static AttributeValue name(String name) {
    return attribute(
        "Name",
        new Value.Structure(
            List.of(
                Tag.named("NameValue").item(new Value.Text(name)),
                Tag.named("NameType").item("UninterpretedTextString"))));
  }

  static Item bytes(String tag, byte[] value) {
    return Tag.named(tag).item(new Value.Bytes(value));
  }

  static byte[] bytes(List<Item> answer, String tag) {
    return ((Value.Bytes) only(answer, tag).value()).value();
  }

  static List<Item> items(Item structure) {
    return ((Value.Structure) structure.value()).items();
  }

  static Item only(List<Item> items, String tag) {
    List<Item> found =
        items.stream().filter(item -> item.tag() == Tag.named(tag).number()).toList();
    assertThat(found).as(tag).hasSize(1);
    return found.getFirst();
  }

  static String text(Item item) {
    return ((Value.Text) item.value()).value();
  }
}
