package org.keywell.kmip.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.keywell.kmip.client.Messages.structure;
import static org.keywell.kmip.operation.Client.attribute;
import static org.keywell.kmip.operation.Client.bytes;
import static org.keywell.kmip.operation.Client.choice;
import static org.keywell.kmip.operation.Client.id;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** What must not leave in clear does not leave under a key that a client can know, either. */
@org.junit.jupiter.api.Tag("softhsm")
@org.junit.jupiter.api.Tag("postgresql")
final class SecrecyTest {

  private static final int WRAPS = 0x30;
  private static final Value YES = new Value.Bool(true);
  private static final Value NO = new Value.Bool(false);
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private static KeyManager manager;

  @BeforeAll
  static void start() {
    manager = new KeyManager(() -> NOW);
  }

  @AfterAll
  static void stop() {
    manager.close();
  }

  @AfterEach
  void nothingFails() {
    assertThat(manager.unexpected).isEmpty();
  }

  private static Client client(ExportPolicy policy, ProtocolVersion version) {
    return new Client(manager.processor(policy), version, KeyManager.ALICE);
  }

  private static Client strict() {
    return client(new ExportPolicy(false, true), ProtocolVersion.V2_1);
  }

  private static void assertRefused(String reason, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(Client.Refused.class).hasMessageStartingWith(reason);
  }

  private static String create(Client client, int mask, AttributeValue... more) {
    AttributeValue[] all =
        Stream.concat(
                Stream.of(
                    attribute("Cryptographic Algorithm", choice("CryptographicAlgorithm", "AES")),
                    attribute("Cryptographic Length", new Value.Int(256)),
                    attribute("Cryptographic Usage Mask", new Value.Int(mask)),
                    attribute("Activation Date", new Value.DateTime(NOW.getEpochSecond()))),
                Stream.of(more))
            .toArray(AttributeValue[]::new);
    return identifier(
        client.ask(
            "Create",
            Tag.named("ObjectType").item("SymmetricKey"),
            client.template("TemplateAttribute", "Attributes", all)));
  }

  private static String identifier(List<Item> answer) {
    return Client.text(Client.only(answer, "UniqueIdentifier"));
  }

  /** Returns a key that is registered: in clear, or wrapped as {@code wrapping} says. */
  private static String register(
      Client client, byte[] material, List<Item> wrapping, AttributeValue... more) {
    int bits = (material.length - (wrapping.isEmpty() ? 0 : 8)) * 8;
    AttributeValue[] all =
        Stream.concat(
                Stream.of(
                    attribute("Cryptographic Usage Mask", new Value.Int(WRAPS)),
                    attribute("Activation Date", new Value.DateTime(NOW.getEpochSecond()))),
                Stream.of(more))
            .toArray(AttributeValue[]::new);
    Item value =
        wrapping.isEmpty()
            ? structure("KeyValue", bytes("KeyMaterial", material))
            : bytes("KeyValue", material);
    Stream<Item> block =
        Stream.of(
            Tag.named("KeyFormatType").item("Raw"),
            value,
            Tag.named("CryptographicAlgorithm").item(wrapping.isEmpty() ? "AES" : "HMAC_SHA256"),
            Tag.named("CryptographicLength").item(new Value.Int(bits)));
    return identifier(
        client.ask(
            "Register",
            Tag.named("ObjectType").item("SymmetricKey"),
            client.template("TemplateAttribute", "Attributes", all),
            structure(
                "SymmetricKey",
                structure(
                    "KeyBlock", Stream.concat(block, wrapping.stream()).toArray(Item[]::new)))));
  }

  private static Item how(String structure, String key) {
    return structure(
        structure,
        Tag.named("WrappingMethod").item("Encrypt"),
        structure("EncryptionKeyInformation", id(key)),
        Tag.named("EncodingOption").item("NoEncoding"));
  }

  private static byte[] wrapped(Client client, String key, String wrappingKey) {
    return client.get(key, how("KeyWrappingSpecification", wrappingKey));
  }

  private static String privateKey(Client client) {
    return client.createPair("EC", 256).getFirst();
  }

  @Test
  void aKeyThatAClientKnowsWrapsNoPrivateKey() {
    Client client = strict();
    String privateKey = privateKey(client);
    String registered = register(client, new byte[32], List.of());
    assertRefused("PermissionDenied", () -> wrapped(client, privateKey, registered));

    String left = create(client, WRAPS);
    byte[] _ = client.get(left);
    assertRefused("PermissionDenied", () -> wrapped(client, privateKey, left));

    String leftWrapped = create(client, WRAPS);
    byte[] _ = wrapped(client, leftWrapped, create(client, WRAPS));
    assertRefused("PermissionDenied", () -> wrapped(client, privateKey, leftWrapped));

    Client lenient = client(new ExportPolicy(true, true), ProtocolVersion.V2_1);
    assertThat(wrapped(lenient, privateKey, registered)).isNotEmpty();
  }

  @Test
  void aKeyThatHasWrappedAPrivateKeyNeverLeaves() {
    Client client = strict();
    String privateKey = privateKey(client);
    String wrappingKey = create(client, WRAPS);
    String known = register(client, new byte[32], List.of());

    byte[] blob = wrapped(client, privateKey, wrappingKey);
    assertThat(wrapped(client, privateKey, wrappingKey)).as("again").isEqualTo(blob);
    assertRefused("NotExtractable", () -> client.get(wrappingKey));
    assertRefused("NotExtractable", () -> wrapped(client, wrappingKey, known));
    assertRefused("NotExtractable", () -> wrapped(client, wrappingKey, create(client, WRAPS)));
    assertRefused("PermissionDenied", () -> set(client, wrappingKey, "Extractable", YES));

    String replacement = identifier(client.ask("ReKey", id(wrappingKey)));
    assertRefused("NotExtractable", () -> client.get(replacement));
  }

  @Test
  void aPrivateKeyDoesNotComeBackAsASymmetricOne() {
    Client client = strict();
    String wrappingKey = create(client, WRAPS);
    byte[] blob = wrapped(client, privateKey(client), wrappingKey);
    List<Item> wrapping = List.of(how("KeyWrappingData", wrappingKey));

    String disguised = register(client, blob, wrapping);
    assertRefused("NotExtractable", () -> client.get(disguised));
    String known = register(client, new byte[32], List.of());
    assertRefused("NotExtractable", () -> wrapped(client, disguised, known));
    assertRefused("PermissionDenied", () -> set(client, disguised, "Extractable", YES));
    assertRefused(
        "InvalidAttributeValue",
        () -> register(client, blob, wrapping, attribute("Extractable", YES)));
  }

  /** RFC 3394 unwraps with AES decryption, which such a client has. */
  @ParameterizedTest
  @ValueSource(ints = {0x8, 0x4, 0x200})
  void aKeyThatDoesMoreThanWrapWrapsNoPrivateKey(int usage) {
    Client client = strict();
    String privateKey = privateKey(client);
    String wrappingKey = create(client, WRAPS | usage);
    assertRefused(
        "IncompatibleCryptographicUsageMask", () -> wrapped(client, privateKey, wrappingKey));
    for (String operation : List.of("SetAttribute", "ModifyAttribute", "AddAttribute")) {
      assertThatThrownBy(() ->
              client.ask(
                  operation,
                  id(wrappingKey),
                  structure(
                      "NewAttribute",
                      Tag.named("CryptographicUsageMask").item(new Value.Int(WRAPS)))))
          .isInstanceOf(Client.Refused.class);
    }
  }

  @Test
  void secretsThatStayLeaveUnderSecretKeysOnly() {
    Client closed = client(new ExportPolicy(false, false), ProtocolVersion.V2_1);
    String secret = create(closed, 0x4);
    String known = register(closed, new byte[32], List.of());
    assertRefused("PermissionDenied", () -> closed.get(secret));
    assertRefused("PermissionDenied", () -> wrapped(closed, secret, known));
    assertThat(wrapped(closed, secret, create(closed, WRAPS))).hasSize(40);
  }

  private static void set(Client client, String key, String name, Value value) {
    if (client.isTwo()) {
      Item attribute = Tag.named(name).item(value);
      List<Item> _ = client.ask("SetAttribute", id(key), structure("NewAttribute", attribute));
    } else {
      Item[] all = {
        id(key),
        structure(
            "Attribute",
            Tag.named("AttributeName").item(new Value.Text(name)),
            Tag.named("AttributeValue").item(value))
      };
      List<Item> _ = client.ask("ModifyAttribute", all);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.4", "2.1"})
  void protectionIsNotTakenBack(String version) {
    Client client =
        client(
            new ExportPolicy(false, true),
            version.equals("1.4") ? ProtocolVersion.V1_4 : ProtocolVersion.V2_1);
    String open = create(client, WRAPS);
    assertThat(protection(open)).containsExactly(NO, NO, YES, NO);
    set(client, open, "Sensitive", YES);
    set(client, open, "Extractable", NO);
    for (Map.Entry<String, Value> each : Map.of("Sensitive", NO, "Extractable", YES).entrySet()) {
      assertRefused("PermissionDenied", () -> set(client, open, each.getKey(), each.getValue()));
    }
    assertThat(protection(open)).containsExactly(YES, NO, NO, NO);

    String closed =
        create(client, WRAPS, attribute("Sensitive", YES), attribute("Extractable", NO));
    assertThat(protection(closed)).containsExactly(YES, YES, NO, YES);
    assertThatThrownBy(() -> create(client, WRAPS, attribute("Never Extractable", YES)))
        .isInstanceOf(Client.Refused.class);
    assertRefused(
        version.equals("1.4") ? "PermissionDenied" : "AttributeReadOnly",
        () ->
            create(
                client, WRAPS, new AttributeValue(Secrecy.STAYED, client.isTwo() ? null : 0, YES)));
  }

  @Test
  void aReplacementKeepsTheProtectionThatItsVersionDoesNotKnow() {
    String key = create(strict(), WRAPS, attribute("Extractable", NO));
    Client old = client(new ExportPolicy(false, true), ProtocolVersion.V1_0);
    String replacement = identifier(old.ask("ReKey", id(key)));
    assertThat(protection(replacement)).containsExactly(NO, NO, NO, YES);
  }

  private static List<Value> protection(String key) {
    Attributes attributes = manager.objects.require("alice", UUID.fromString(key)).attributes();
    return Stream.of("Sensitive", "Always Sensitive", "Extractable", "Never Extractable")
        .map(name -> String.valueOf(attributes.first(Attributes.named(name))))
        .map(text -> text.contains("true") ? YES : NO)
        .toList();
  }
}
