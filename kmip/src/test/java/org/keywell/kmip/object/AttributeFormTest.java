package org.keywell.kmip.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.keywell.kmip.client.Messages.integer;
import static org.keywell.kmip.client.Messages.structure;
import static org.keywell.kmip.client.Messages.text;

import java.util.List;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

final class AttributeFormTest {

  private final AttributeForm old = new AttributeForm(ProtocolVersion.V1_4);
  private final AttributeForm current = new AttributeForm(ProtocolVersion.V2_1);

  private final Item oldLength =
      structure(
          "Attribute",
          text("AttributeName", "Cryptographic Length"),
          integer("AttributeValue", 256));
  private final Item currentLength = integer("CryptographicLength", 256);

  private static AttributeName standard(String name) {
    return new AttributeName.Standard(Objects.requireNonNull(Attribute.named(name)));
  }

  private static Value.Structure fields(Item structure) {
    return (Value.Structure) structure.value();
  }

  @Test
  void aStandardAttributeInBothForms() {
    AttributeValue length =
        new AttributeValue(standard("Cryptographic Length"), null, new Value.Int(256));

    assertThat(old.read(oldLength)).isEqualTo(length);
    assertThat(current.read(currentLength)).isEqualTo(length);
    assertThat(old.write(length)).isEqualTo(oldLength);
    assertThat(current.write(length)).isEqualTo(currentLength);
  }

  @Test
  void anIndexIsOf1_xOnly() {
    Item indexed =
        structure(
            "Attribute",
            text("AttributeName", "Name"),
            integer("AttributeIndex", 3),
            structure("AttributeValue", text("NameValue", "n")));

    AttributeValue name = old.read(indexed);

    assertThat(name.index()).isEqualTo(3);
    assertThat(old.write(name)).isEqualTo(indexed);
    assertThat(current.write(name)).isEqualTo(structure("Name", text("NameValue", "n")));
  }

  @Test
  void aCustomAttributeIsOneOfAVendor() {
    Item custom =
        structure("Attribute", text("AttributeName", "x-purpose"), text("AttributeValue", "v"));
    Item vendors =
        structure(
            "Attribute",
            text("VendorIdentification", "x"),
            text("AttributeName", "purpose"),
            text("AttributeValue", "v"));

    assertThat(old.read(custom)).isEqualTo(current.read(vendors));
    assertThat(old.write(current.read(vendors))).isEqualTo(custom);
    assertThat(current.write(old.read(custom))).isEqualTo(vendors);
  }

  @Test
  void eachVersionHasItsAttributes() {
    Attributes all =
        Attributes.NONE
            .add(standard("Operation Policy Name"), new Value.Text("default"))
            .add(standard("Quantum Safe"), new Value.Bool(true))
            .add(standard("Certificate Length"), new Value.Int(1))
            .add(AttributeName.Vendor.servers("a"), new Value.Int(1))
            .add(new AttributeName.Vendor("x", "a"), new Value.Int(1))
            .add(new AttributeName.Vendor("acme", "a"), new Value.Int(1));

    assertThat(visible(old, all)).containsExactly("Operation Policy Name", "x-a");
    assertThat(visible(current, all)).containsExactly("Quantum Safe", "x-a", "acme-a");
  }

  /** The names of a key's attributes, after those that every object has. */
  private static List<String> visible(AttributeForm form, Attributes all) {
    return form.visible(SampleObjects.key("alice", all)).stream()
        .skip(3)
        .map(each -> each.name().toString())
        .toList();
  }

  /** Indices of a message are ignored: a new object's values are numbered in their order. */
  @Test
  void aMessagesIndicesAreIgnored() {
    Item attribute =
        structure(
            "Attribute",
            text("AttributeName", "x-purpose"),
            integer("AttributeIndex", 7),
            text("AttributeValue", "v"));

    assertThat(old.readAll(fields(structure("TemplateAttribute", attribute, attribute))).all())
        .extracting(AttributeValue::index)
        .containsExactly(0, 1);
  }

  @Test
  void namesInBothForms() {
    AttributeName length = standard("Cryptographic Length");
    AttributeName vendors = new AttributeName.Vendor("x", "purpose");

    for (AttributeName each : List.of(length, vendors)) {
      assertThat(old.readName(old.writeName(each).value())).isEqualTo(each);
      assertThat(current.readName(current.writeName(each).value())).isEqualTo(each);
    }
    assertThat(old.writeName(length)).isEqualTo(text("AttributeName", "Cryptographic Length"));
    assertThat(current.writeName(length))
        .isEqualTo(Tag.named("AttributeReference").item(new Value.Enumerated(0x42002A)));
  }

  @Test
  void allOfAStructure() {
    assertThat(old.readAll(fields(structure("TemplateAttribute", oldLength))).all()).hasSize(1);
    assertThat(current.readAll(fields(structure("Attributes", currentLength))).all()).hasSize(1);
    Item template = structure("Name", text("NameValue", "template"));
    assertReason(
        "ItemNotFound", () -> old.readAll(fields(structure("TemplateAttribute", template))));
    assertReason(
        "AttributeSingleValued",
        () -> current.readAll(fields(structure("Attributes", currentLength, currentLength))));
  }

  @Test
  void refusesWhatIsNoAttribute() {
    assertReason("InvalidAttribute", () -> old.read(named("Nothing", new Value.Int(1))));
    assertReason("InvalidAttribute", () -> old.read(named("Quantum Safe", new Value.Bool(true))));
    assertReason("InvalidAttribute", () -> current.read(text("OperationPolicyName", "p")));
    assertReason("InvalidAttribute", () -> current.read(text("NameValue", "n")));
    assertReason("InvalidMessage", () -> old.read(text("Attribute", "n")));
    assertReason("InvalidMessage", () -> old.readName(new Value.Enumerated(0x42002A)));
    assertReason("InvalidMessage", () -> current.readName(new Value.Text("Name")));
    assertReason(
        "InvalidField",
        () ->
            old.read(
                structure(
                    "Attribute",
                    text("AttributeName", "Name"),
                    integer("AttributeIndex", -1),
                    structure("AttributeValue"))));
  }

  @Test
  void refusesValuesThatAreNone() {
    assertReason(
        "InvalidDataType", () -> old.read(named("Cryptographic Length", new Value.Text("256"))));
    assertReason("InvalidDataType", () -> current.read(text("CryptographicLength", "256")));
    assertReason("InvalidAttributeValue", () -> current.read(algorithm(0x7FFF)));
    assertThat(current.read(algorithm(0x80000001))).as("an extension").isNotNull();
    // ChaCha20 came with 1.4.
    assertThat(old.read(named("Cryptographic Algorithm", new Value.Enumerated(0x1C)))).isNotNull();
    AttributeForm first = new AttributeForm(ProtocolVersion.V1_0);
    assertReason(
        "InvalidAttributeValue",
        () -> first.read(named("Cryptographic Algorithm", new Value.Enumerated(0x1C))));
  }

  private static Item algorithm(int value) {
    return Tag.named("CryptographicAlgorithm").item(new Value.Enumerated(value));
  }

  private static Item named(String name, Value value) {
    return structure(
        "Attribute", text("AttributeName", name), Tag.named("AttributeValue").item(value));
  }

  private static void assertReason(String reason, ThrowingCallable read) {
    KmipException e = catchThrowableOfType(KmipException.class, read);
    assertThat(e.reason()).hasToString(reason);
  }
}
