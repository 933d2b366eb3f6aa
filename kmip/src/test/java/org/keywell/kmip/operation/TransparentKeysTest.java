package org.keywell.kmip.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.keywell.kmip.client.Messages.structure;
import static org.keywell.kmip.operation.Client.id;
import static org.keywell.kmip.operation.Client.items;
import static org.keywell.kmip.operation.Client.only;

import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** Keys that leave number by number make the keys that they are, by Java's code. */
final class TransparentKeysTest {

  private static KeyManager manager;

  @BeforeAll
  static void start() {
    manager = new KeyManager(InstantSource.system());
  }

  @AfterAll
  static void stop() {
    manager.close();
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(manager.unexpected).isEmpty();
    assertThat(manager.hsm.countLiveKeys()).isZero();
  }

  private static Client client(ProtocolVersion version, boolean privateKeysLeave) {
    return new Client(
        manager.processor(new ExportPolicy(privateKeysLeave, true)), version, KeyManager.ALICE);
  }

  private static Item format(String name) {
    return Tag.named("KeyFormatType").item(name);
  }

  private static List<Item> block(Client client, String key, String format) {
    return Client.keyBlock(client.ask("Get", id(key), format(format)));
  }

  private static List<Item> numbers(Client client, String key, String format) {
    List<Item> block = block(client, key, format);
    assertThat(only(block, "KeyFormatType")).isEqualTo(format(format));
    return items(only(items(only(block, "KeyValue")), "KeyMaterial"));
  }

  private static BigInteger number(List<Item> numbers, String tag) {
    return ((Value.BigInt) only(numbers, tag).value()).value();
  }

  private static void assertPair(String algorithm, PrivateKey secret, PublicKey open)
      throws Exception {
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(secret);
    signature.update((byte) 1);
    byte[] signed = signature.sign();
    signature.initVerify(open);
    signature.update((byte) 1);
    assertThat(signature.verify(signed)).isTrue();
  }

  @Test
  void anRsaPairLeavesByItsNumbers() throws Exception {
    Client client = client(ProtocolVersion.V1_0, true);
    List<String> pair = client.createPair("RSA", 2048);
    List<Item> secret = numbers(client, pair.getFirst(), "TransparentRSAPrivateKey");
    List<Item> open = numbers(client, pair.getLast(), "TransparentRSAPublicKey");

    KeyFactory keys = KeyFactory.getInstance("RSA");
    assertPair(
        "SHA256withRSA",
        keys.generatePrivate(
            new RSAPrivateCrtKeySpec(
                number(secret, "Modulus"),
                number(secret, "PublicExponent"),
                number(secret, "PrivateExponent"),
                number(secret, "P"),
                number(secret, "Q"),
                number(secret, "PrimeExponentP"),
                number(secret, "PrimeExponentQ"),
                number(secret, "CRTCoefficient"))),
        keys.generatePublic(
            new RSAPublicKeySpec(number(open, "Modulus"), number(open, "PublicExponent"))));
  }

  @ParameterizedTest
  @CsvSource({"1.2, ECDSA, 256", "1.4, EC, 256", "2.1, EC, 384"})
  void anEcPairLeavesByItsNumbers(String version, String form, int bits) throws Exception {
    int point = version.indexOf('.');
    ProtocolVersion asked =
        new ProtocolVersion(
            Integer.parseInt(version.substring(0, point)),
            Integer.parseInt(version.substring(point + 1)));
    Client client = client(asked, true);
    List<String> pair = client.createPair("ECDSA", bits);
    List<Item> secret = numbers(client, pair.getFirst(), "Transparent" + form + "PrivateKey");
    List<Item> open = numbers(client, pair.getLast(), "Transparent" + form + "PublicKey");

    Item curve = Tag.named("RecommendedCurve").item("P_" + bits);
    assertThat(List.of(only(secret, "RecommendedCurve"), only(open, "RecommendedCurve")))
        .containsOnly(curve);
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec("secp%dr1".formatted(bits)));
    ECParameterSpec spec = parameters.getParameterSpec(ECParameterSpec.class);
    byte[] encoded = Client.bytes(open, "QString");
    int half = bits / Byte.SIZE;
    assertThat(encoded).hasSize(1 + 2 * half).startsWith(4);
    ECPoint w =
        new ECPoint(
            new BigInteger(1, Arrays.copyOfRange(encoded, 1, 1 + half)),
            new BigInteger(1, Arrays.copyOfRange(encoded, 1 + half, encoded.length)));
    KeyFactory keys = KeyFactory.getInstance("EC");
    assertPair(
        "SHA256withECDSA",
        keys.generatePrivate(new ECPrivateKeySpec(number(secret, "D"), spec)),
        keys.generatePublic(new ECPublicKeySpec(w, spec)));
  }

  @ParameterizedTest
  @CsvSource({
    "RSA, 3072, TransparentRSAPrivateKey, TransparentRSAPublicKey",
    "EC, 384, TransparentECPrivateKey, TransparentECPublicKey"
  })
  void whatLeftIsRegisteredAgain(String algorithm, int bits, String secret, String open) {
    Client client = client(ProtocolVersion.V2_1, true);
    List<String> pair = client.createPair(algorithm, bits);
    for (int i = 0; i < 2; i++) {
      String type = i == 0 ? "PrivateKey" : "PublicKey";
      List<Item> block = block(client, pair.get(i), i == 0 ? secret : open);
      String again =
          Client.text(
              only(
                  client.ask(
                      "Register",
                      Tag.named("ObjectType").item(type),
                      client.template("TemplateAttribute", "Attributes"),
                      structure(type, structure("KeyBlock", block.toArray(Item[]::new)))),
                  "UniqueIdentifier"));
      assertThat(only(block(client, again, i == 0 ? secret : open), "KeyValue"))
          .isEqualTo(only(block, "KeyValue"));
    }
  }

  @Test
  void noFormLetsAPrivateKeyLeaveThatMayNot() {
    Client client = client(ProtocolVersion.V2_1, false);
    for (String kind : List.of("RSA 2048 RSA", "EC 256 EC")) {
      String[] words = kind.split(" ", -1);
      List<String> pair = client.createPair(words[0], Integer.parseInt(words[1]));
      String form = "Transparent" + words[2];
      assertThatThrownBy(() -> block(client, pair.getFirst(), form + "PrivateKey"))
          .isInstanceOf(Client.Refused.class)
          .hasMessageStartingWith("PermissionDenied");
      assertThat(numbers(client, pair.getLast(), form + "PublicKey")).hasSize(2);
    }
  }

  @Test
  void aKeyHasNoFormOfAnotherKind() {
    Client client = client(ProtocolVersion.V2_1, true);
    List<String> pair = client.createPair("EC", 256);
    for (String form : List.of("TransparentRSAPrivateKey", "TransparentECPublicKey", "Raw")) {
      assertThatThrownBy(() -> block(client, pair.getFirst(), form))
          .isInstanceOf(Client.Refused.class)
          .hasMessageStartingWith("KeyFormatTypeNotSupported");
    }
  }
}
