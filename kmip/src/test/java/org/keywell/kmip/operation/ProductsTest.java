package org.keywell.kmip.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.keywell.kmip.client.Messages.structure;
import static org.keywell.kmip.client.Messages.text;
import static org.keywell.kmip.operation.Client.attribute;
import static org.keywell.kmip.operation.Client.bytes;
import static org.keywell.kmip.operation.Client.id;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;
import org.keywell.testkit.OpenSsl;

/** What products send beside what the specification expects. */
@org.junit.jupiter.api.Tag("softhsm")
@org.junit.jupiter.api.Tag("postgresql")
final class ProductsTest {

  private static KeyManager manager;

  @BeforeAll
  static void start() {
    manager = new KeyManager(() -> Instant.parse("2026-01-02T03:04:05Z"));
  }

  @AfterAll
  static void stop() {
    manager.close();
  }

  @AfterEach
  void nothingFailsInside() {
    assertThat(manager.unexpected).isEmpty();
  }

  private static Client client(ProtocolVersion version) {
    return new Client(manager.processor(new ExportPolicy(false, true)), version, KeyManager.ALICE);
  }

  private static String register(Client client, String type, Item... object) {
    return Client.text(
        Client.only(
            client.ask(
                "Register",
                Tag.named("ObjectType").item(type),
                client.template("TemplateAttribute", "Attributes"),
                structure(type, object)),
            "UniqueIdentifier"));
  }

  private static Item block(int compression, byte[] material) {
    return structure(
        "KeyBlock",
        Tag.named("KeyFormatType").item("Raw"),
        Tag.named("KeyCompressionType").item(new Value.Enumerated(compression)),
        structure("KeyValue", bytes("KeyMaterial", material)),
        Tag.named("CryptographicAlgorithm").item("AES"),
        Tag.named("CryptographicLength").item(new Value.Int(material.length * 8)));
  }

  /** PostgreSQL's pg_tde says that its AES key is an uncompressed point. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theCompressionOfASymmetricKeyMeansNothing(int compression) {
    Client client = client(ProtocolVersion.V1_4);
    byte[] material = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    String key = register(client, "SymmetricKey", block(compression, material));
    Item asked = Tag.named("KeyCompressionType").item(new Value.Enumerated(compression));
    assertThat(client.get(key, asked)).isEqualTo(material);
    assertThat(client.get(key, Tag.named("KeyFormatType").item("Opaque"))).isEqualTo(material);
  }

  private static Item big(String tag, BigInteger number) {
    return Tag.named(tag).item(new Value.BigInt(number));
  }

  private static Item transparent(String format, Item... parts) {
    return structure(
        "KeyBlock",
        Tag.named("KeyFormatType").item(format),
        structure("KeyValue", structure("KeyMaterial", parts)));
  }

  @Test
  void keysAreRegisteredByTheirNumbers() throws Exception {
    Client client =
        new Client(
            manager.processor(new ExportPolicy(true, true)),
            ProtocolVersion.V2_1,
            KeyManager.ALICE);
    KeyPairGenerator rsa = KeyPairGenerator.getInstance("RSA");
    rsa.initialize(2048);
    RSAPrivateCrtKey secret = (RSAPrivateCrtKey) rsa.generateKeyPair().getPrivate();
    Item modulus = big("Modulus", secret.getModulus());
    Item exponent = big("PublicExponent", secret.getPublicExponent());
    String open =
        register(client, "PublicKey", transparent("TransparentRSAPublicKey", modulus, exponent));
    byte[] info = client.get(open, Tag.named("KeyFormatType").item("X_509"));
    assertThat(KeyForms.publicKey(info))
        .isEqualTo(
            KeyFactory.getInstance("RSA")
                .generatePublic(
                    new RSAPublicKeySpec(secret.getModulus(), secret.getPublicExponent())));
    String closed =
        register(
            client,
            "PrivateKey",
            transparent(
                "TransparentRSAPrivateKey",
                modulus,
                exponent,
                big("PrivateExponent", secret.getPrivateExponent()),
                big("P", secret.getPrimeP()),
                big("Q", secret.getPrimeQ()),
                big("PrimeExponentP", secret.getPrimeExponentP()),
                big("PrimeExponentQ", secret.getPrimeExponentQ()),
                big("CRTCoefficient", secret.getCrtCoefficient())));
    assertThat(client.get(closed, Tag.named("KeyFormatType").item("PKCS_8")))
        .isEqualTo(secret.getEncoded());

    KeyPairGenerator ec = KeyPairGenerator.getInstance("EC");
    ec.initialize(new ECGenParameterSpec("secp384r1"));
    KeyPair pair = ec.generateKeyPair();
    Item curve = Tag.named("RecommendedCurve").item("P_384");
    byte[] encoded = pair.getPublic().getEncoded();
    Item point = bytes("QString", Arrays.copyOfRange(encoded, encoded.length - 97, encoded.length));
    String half =
        register(client, "PublicKey", transparent("TransparentECPublicKey", curve, point));
    assertThat(client.get(half)).isEqualTo(encoded);
    BigInteger scalar = ((ECPrivateKey) pair.getPrivate()).getS();
    String other =
        register(
            client, "PrivateKey", transparent("TransparentECPrivateKey", curve, big("D", scalar)));
    byte[] pkcs8 = client.get(other, Tag.named("KeyFormatType").item("PKCS_8"));
    ECPrivateKey read =
        (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    assertThat(read.getS()).isEqualTo(scalar);
  }

  @Test
  void unknownQueryFunctionsAreIgnored() {
    Client client = client(ProtocolVersion.V1_0);
    Item unknown = Tag.named("QueryFunction").item(new Value.Enumerated(0x7F));
    Item later = Tag.named("QueryFunction").item("QueryCapabilities");
    Item known = Tag.named("QueryFunction").item("QueryObjects");
    assertThat(client.ask("Query", unknown, known, later)).isEqualTo(client.ask("Query", known));
    assertThat(client.ask("Query", unknown)).isEmpty();
    assertThatThrownBy(() -> client.ask("Query")).isInstanceOf(Client.Refused.class);
  }

  @Test
  void aVendorsAttributeIsSetAlone() {
    Client client = client(ProtocolVersion.V2_1);
    String key = client.createAes(128);
    for (String value : List.of("first", "second")) {
      Item attribute =
          structure(
              "Attribute",
              text("VendorIdentification", "acme"),
              text("AttributeName", "place"),
              text("AttributeValue", value));
      List<Item> _ = client.ask("SetAttribute", id(key), structure("NewAttribute", attribute));
    }
    Item attributes = client.ask("GetAttributes", id(key)).getLast();
    assertThat(Client.items(attributes).toString()).contains("second").doesNotContain("first");
  }

  @Test
  void whatTheServerNotesForItselfIsNotShown() {
    for (ProtocolVersion version : List.of(ProtocolVersion.V1_4, ProtocolVersion.V2_1)) {
      Client client = client(version);
      Item kind = Tag.named("SecretDataType").item("Password");
      Item value =
          structure(
              "KeyBlock",
              Tag.named("KeyFormatType").item("Opaque"),
              structure("KeyValue", bytes("KeyMaterial", new byte[8])));
      String secret = register(client, "SecretData", kind, value);
      String key = client.createAes(128);
      for (String each : List.of(secret, key)) {
        for (String operation : List.of("GetAttributes", "GetAttributeList")) {
          assertThat(client.ask(operation, id(each)).toString())
              .doesNotContain("Secret Data Type", "Stayed", "y-");
        }
      }
    }
  }

  @Test
  void theNamesInACertificateAreAttributes(@TempDir Path files) throws Exception {
    OpenSsl openssl = new OpenSsl(files);
    String _ =
        openssl.run(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-keyout",
            "key.pem",
            "-out",
            "certificate.pem",
            "-subj",
            "/C=SE/O=Acme/OU=One/OU=Two/CN=Anna/emailAddress=anna@example.org");
    String pem = Files.readString(files.resolve("certificate.pem"));
    byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
    Client client = client(ProtocolVersion.V2_1);
    String id =
        register(
            client,
            "Certificate",
            Tag.named("CertificateType").item("X_509"),
            bytes("CertificateValue", der));

    List<Item> attributes = Client.items(client.ask("GetAttributes", id(id)).getLast());
    assertThat(Client.text(Client.only(attributes, "CertificateSubjectCN"))).isEqualTo("Anna");
    assertThat(Client.text(Client.only(attributes, "CertificateIssuerO"))).isEqualTo("Acme");
    assertThat(Client.text(Client.only(attributes, "CertificateSubjectEmail")))
        .isEqualTo("anna@example.org");
    assertThat(attributes)
        .filteredOn(item -> item.tag() == Tag.named("CertificateSubjectOU").number())
        .hasSize(2);
    assertThat(client.locate(attribute("Certificate Subject CN", new Value.Text("Anna"))))
        .containsExactly(id);
  }
}
