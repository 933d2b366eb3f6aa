package org.keywell.kmip.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.keywell.kmip.client.Messages.structure;
import static org.keywell.kmip.operation.Client.attribute;
import static org.keywell.kmip.operation.Client.bytes;
import static org.keywell.kmip.operation.Client.choice;
import static org.keywell.kmip.operation.Client.id;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.keywell.kmip.client.Messages;
import org.keywell.kmip.object.AttributeValue;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.TtlvWriter;
import org.keywell.kmip.ttlv.Value;

/** What a client is told about its requests: no promise that is not kept, no error of ours. */
@org.junit.jupiter.api.Tag("softhsm")
@org.junit.jupiter.api.Tag("postgresql")
final class PromisesTest {

  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private static KeyManager manager;
  private static Client client;

  @BeforeAll
  static void start() {
    manager = new KeyManager(() -> NOW);
    client =
        new Client(
            manager.processor(new ExportPolicy(false, true)),
            ProtocolVersion.V2_1,
            KeyManager.ALICE);
  }

  @AfterAll
  static void stop() {
    manager.close();
  }

  @AfterEach
  void nothingFailsInside() {
    assertThat(manager.unexpected).isEmpty();
  }

  private static void assertRefused(String reason, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(Client.Refused.class).hasMessageStartingWith(reason);
  }

  @Test
  void aKeyIsNotPromisedWhatIsNotKept() {
    List<AttributeValue> promises =
        List.of(
            attribute(
                "Usage Limits",
                new Value.Structure(
                    List.of(
                        Tag.named("UsageLimitsTotal").item(new Value.LongInt(5)),
                        Tag.named("UsageLimitsUnit").item("Byte")))),
            attribute("Protection Period", new Value.Interval(60)),
            attribute("Rotate Interval", new Value.Interval(60)));
    for (AttributeValue each : promises) {
      assertRefused("UnsupportedAttribute", () -> client.createAes(256, each));
      String key = client.createAes(256);
      for (String operation : List.of("AddAttribute", "SetAttribute")) {
        Item attribute =
            structure(
                "NewAttribute",
                Tag.named(each.name().toString().replace(" ", "")).item(each.value()));
        assertRefused("UnsupportedAttribute", () -> client.ask(operation, id(key), attribute));
      }
    }
    AttributeValue safe = attribute("Quantum Safe", new Value.Bool(true));
    assertRefused("InvalidAttributeValue", () -> client.createAes(128, safe));
    assertThat(client.createAes(256, safe)).isNotEmpty();
    String small = client.createAes(128);
    assertRefused(
        "InvalidAttributeValue",
        () ->
            client.ask(
                "SetAttribute",
                id(small),
                structure("NewAttribute", Tag.named("QuantumSafe").item(new Value.Bool(true)))));
  }

  @Test
  void everyObjectThatIsKeptSecretHasItsProtection() {
    Item no = Tag.named("Extractable").item(new Value.Bool(false));
    Item yes = Tag.named("Sensitive").item(new Value.Bool(true));
    for (Item protection : List.of(no, yes)) {
      String opaque =
          Client.text(
              Client.only(
                  client.ask(
                      "Register",
                      Tag.named("ObjectType").item("OpaqueObject"),
                      structure("Attributes", protection),
                      structure(
                          "OpaqueObject",
                          Tag.named("OpaqueDataType").item(new Value.Enumerated(0x80000001)),
                          bytes("OpaqueDataValue", new byte[8]))),
                  "UniqueIdentifier"));
      assertRefused(
          protection.equals(no) ? "NotExtractable" : "Sensitive",
          () -> client.ask("Get", id(opaque)));
    }
  }

  @Test
  void whatDoesNotFitACipherIsTheClientsFault() {
    String key = client.createAes(256);
    List<Item> _ = client.ask("Activate", id(key));
    for (String mode : List.of("CBC", "CTR", "GCM")) {
      Item parameters =
          structure("CryptographicParameters", Tag.named("BlockCipherMode").item(mode));
      for (int length : mode.equals("GCM") ? new int[] {0, 129, 4_000} : new int[] {0, 1, 15, 17}) {
        Item iv = bytes("IVCounterNonce", new byte[length]);
        Item tag = bytes("AuthenticatedEncryptionTag", new byte[16]);
        assertRefused(
            "InvalidField",
            () -> client.ask("Encrypt", id(key), parameters, bytes("Data", new byte[16]), iv));
        assertRefused(
            "InvalidField",
            () -> client.ask("Decrypt", id(key), parameters, bytes("Data", new byte[16]), iv, tag));
      }
    }
    Item gcm = structure("CryptographicParameters", Tag.named("BlockCipherMode").item("GCM"));
    Item large = bytes("AuthenticatedEncryptionAdditionalData", new byte[900_000]);
    assertRefused(
        "InvalidField",
        () -> client.ask("Encrypt", id(key), gcm, bytes("Data", new byte[16]), large));
    byte[] data = new byte[900_000];
    List<Item> encrypted = client.ask("Encrypt", id(key), gcm, bytes("Data", data));
    Item[] back = {
      id(key),
      gcm,
      Client.only(encrypted, "Data"),
      Client.only(encrypted, "IVCounterNonce"),
      Client.only(encrypted, "AuthenticatedEncryptionTag")
    };
    assertThat(bytes(client.ask("Decrypt", back), "Data")).isEqualTo(data);
  }

  private static String register(String object, String format, String algorithm, byte[] material) {
    List<Item> block = new ArrayList<>();
    block.add(Tag.named("KeyFormatType").item(format));
    block.add(structure("KeyValue", bytes("KeyMaterial", material)));
    block.add(Tag.named("CryptographicAlgorithm").item(algorithm));
    block.add(Tag.named("CryptographicLength").item(new Value.Int(0)));
    return Client.text(
        Client.only(
            client.ask(
                "Register",
                Tag.named("ObjectType").item(object),
                client.template("TemplateAttribute", "Attributes"),
                structure(object, structure("KeyBlock", block.toArray(Item[]::new)))),
            "UniqueIdentifier"));
  }

  @Test
  void onlyKeysAreRegisteredAsKeys() throws Exception {
    for (int bytes : new int[] {1, 15, 17, 33, 64}) {
      assertRefused("InvalidField", () -> register("SymmetricKey", "Raw", "AES", new byte[bytes]));
    }
    KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
    ec.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair pair = ec.generateKeyPair();
    byte[] open = pair.getPublic().getEncoded();
    byte[] secret = pair.getPrivate().getEncoded();
    byte[] scalar = ((ECPrivateKey) pair.getPrivate()).getS().toByteArray();
    int at = scalarAt(secret);
    assertThat(Arrays.copyOfRange(secret, at, at + 32))
        .isEqualTo(Arrays.copyOfRange(padded(scalar), 0, 32));
    assertThat(register("PrivateKey", "PKCS_8", "EC", secret)).isNotEmpty();
    assertThat(register("PublicKey", "X_509", "EC", open)).isNotEmpty();
    BigInteger order = ((ECPrivateKey) pair.getPrivate()).getParams().getOrder();
    for (BigInteger wrong : List.of(BigInteger.ZERO, order, order.add(BigInteger.ONE))) {
      byte[] altered = secret.clone();
      System.arraycopy(padded(wrong.toByteArray()), 0, altered, at, 32);
      assertRefused("InvalidField", () -> register("PrivateKey", "PKCS_8", "EC", altered));
    }
    byte[] offCurve = open.clone();
    offCurve[offCurve.length - 1] ^= 1;
    assertRefused("InvalidField", () -> register("PublicKey", "X_509", "EC", offCurve));
    byte[] anothers = withPublicKey(secret, at, ec.generateKeyPair().getPublic().getEncoded());
    assertRefused("InvalidField", () -> register("PrivateKey", "ECPrivateKey", "EC", anothers));
    assertThat(register("PrivateKey", "ECPrivateKey", "EC", withPublicKey(secret, at, open)))
        .isNotEmpty();

    KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
    rsa.initialize(2048);
    KeyPair large = rsa.generateKeyPair();
    assertThat(register("PrivateKey", "PKCS_8", "RSA", large.getPrivate().getEncoded()))
        .isNotEmpty();
    byte[] broken = large.getPrivate().getEncoded();
    broken[300] ^= 1;
    assertRefused("InvalidField", () -> register("PrivateKey", "PKCS_8", "RSA", broken));
    for (BigInteger modulus :
        List.of(
            BigInteger.ZERO,
            BigInteger.ONE.negate(),
            BigInteger.ONE.shiftLeft(2047),
            BigInteger.ONE.shiftLeft(600).add(BigInteger.ONE))) {
      byte[] tiny = rsaPublicKey(modulus, BigInteger.valueOf(65_537));
      assertRefused("InvalidField", () -> register("PublicKey", "PKCS_1", "RSA", tiny));
    }
    BigInteger odd = BigInteger.ONE.shiftLeft(2047).add(BigInteger.ONE);
    for (BigInteger exponent : List.of(BigInteger.ZERO, BigInteger.ONE, BigInteger.TWO)) {
      byte[] tiny = rsaPublicKey(odd, exponent);
      assertRefused("InvalidField", () -> register("PublicKey", "PKCS_1", "RSA", tiny));
    }
  }

  private static byte[] rsaPublicKey(BigInteger modulus, BigInteger exponent) {
    return Der.element(
        Der.SEQUENCE,
        Der.element(Der.INTEGER, modulus.toByteArray()),
        Der.element(Der.INTEGER, exponent.toByteArray()));
  }

  /** PKCS#8 of P-256 has the scalar in an OCTET STRING of 32 bytes. */
  private static int scalarAt(byte[] pkcs8) {
    for (int i = 0; i < pkcs8.length - 1; i++) {
      if (pkcs8[i] == Der.OCTET_STRING && pkcs8[i + 1] == 32) {
        return i + 2;
      }
    }
    throw new AssertionError("no scalar");
  }

  private static byte[] padded(byte[] number) {
    byte[] padded = new byte[32];
    int length = Math.min(32, number.length);
    System.arraycopy(number, number.length - length, padded, 32 - length, length);
    return padded;
  }

  private static byte[] withPublicKey(byte[] pkcs8, int at, byte[] info) {
    byte[] p256 = {6, 8, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 3, 1, 7};
    byte[] noUnusedBits = {0};
    byte[] point = Arrays.copyOfRange(info, info.length - 65, info.length);
    return Der.element(
        Der.SEQUENCE,
        new byte[] {Der.INTEGER, 1, 1},
        Der.element(Der.OCTET_STRING, Arrays.copyOfRange(pkcs8, at, at + 32)),
        Der.element(Der.CONTEXT_0, p256),
        Der.element(Der.CONTEXT_1, Der.element(Der.BIT_STRING, noUnusedBits, point)));
  }

  /** Each is answered, and never by an error of ours. */
  @Test
  void alteredRequestsAreNoErrorsOfOurs() {
    String key = client.createAes(256);
    String pair = client.createPair("EC", 256).getFirst();
    List<Item> _ = client.ask("Activate", id(key));
    List<Item> _ = client.ask("Activate", id(pair));
    Item cbc = structure("CryptographicParameters", Tag.named("BlockCipherMode").item("CBC"));
    Item gcm = structure("CryptographicParameters", Tag.named("BlockCipherMode").item("GCM"));
    Item hash = structure("CryptographicParameters", Tag.named("HashingAlgorithm").item("SHA_256"));
    Item iv = bytes("IVCounterNonce", new byte[16]);
    Item data = bytes("Data", new byte[32]);
    Item attributes =
        client.template(
            "TemplateAttribute",
            "Attributes",
            Client.name("altered"),
            attribute("Cryptographic Algorithm", choice("CryptographicAlgorithm", "AES")),
            attribute("Cryptographic Length", new Value.Int(128)),
            attribute("Sensitive", new Value.Bool(true)));
    Item aes =
        structure(
            "SymmetricKey",
            structure(
                "KeyBlock",
                Tag.named("KeyFormatType").item("Raw"),
                structure("KeyValue", bytes("KeyMaterial", new byte[16])),
                Tag.named("CryptographicAlgorithm").item("AES"),
                Tag.named("CryptographicLength").item(new Value.Int(128))));
    Item symmetric = Tag.named("ObjectType").item("SymmetricKey");
    ProtocolVersion version = ProtocolVersion.V2_1;
    List<byte[]> requests =
        List.of(
            Messages.request(version, "Create", symmetric, attributes),
            Messages.request(version, "Register", symmetric, attributes, aes),
            Messages.request(version, "Encrypt", id(key), cbc, data, iv),
            Messages.request(version, "Decrypt", id(key), gcm, data, iv, iv),
            Messages.request(version, "Sign", id(pair), hash, data),
            Messages.request(version, "Get", id(key)),
            Messages.request(version, "Locate", attributes),
            Messages.request(version, "ReKey", id(key), attributes),
            Messages.request(version, "Query", Tag.named("QueryFunction").item("QueryObjects")));
    var server = manager.processor(new ExportPolicy(false, true));
    Random random = new Random(20_261_128);
    for (int i = 0; i < 3_000; i++) {
      byte[] altered = requests.get(i % requests.size()).clone();
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        int at = 80 + random.nextInt(altered.length - 80);
        altered[at] =
            (byte)
                (random.nextBoolean()
                    ? random.nextInt(256)
                    : altered[at] ^ (1 << random.nextInt(8)));
      }
      assertThat(server.process(altered, KeyManager.ALICE).message()).isNotEmpty();
    }
    byte[] none = TtlvWriter.write(structure("RequestMessage"));
    assertThat(server.process(none, KeyManager.ALICE).message()).isNotEmpty();
  }
}
