package org.keywell.kmip.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.keywell.kmip.client.Messages.structure;
import static org.keywell.kmip.operation.Client.attribute;
import static org.keywell.kmip.operation.Client.bytes;
import static org.keywell.kmip.operation.Client.choice;
import static org.keywell.kmip.operation.Client.id;
import static org.keywell.kmip.operation.Client.name;

import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/** The operations as clients of 1.4 and of 2.1 ask for them, on SoftHSM and PostgreSQL. */
final class OperationsTest {

  private static final byte[] DATA = "as the client has it".getBytes(StandardCharsets.UTF_8);

  private static Instant now = Instant.parse("2026-01-02T03:04:05Z");
  private static KeyManager manager;

  @BeforeAll
  static void start() {
    manager = new KeyManager(() -> now);
  }

  @AfterAll
  static void stop() {
    manager.close();
  }

  @AfterEach
  void nothingIsLeftInTheToken() {
    assertThat(manager.unexpected).isEmpty();
    assertThat(manager.hsm.countLiveKeys()).isZero();
  }

  private static Client client(String version, KmipCaller caller, boolean privateKeysLeave) {
    return new Client(
        manager.processor(new ExportPolicy(privateKeysLeave, true)),
        version.equals("1.4") ? ProtocolVersion.V1_4 : ProtocolVersion.V2_1,
        caller);
  }

  private static Client alice(String version) {
    return client(version, KeyManager.ALICE, false);
  }

  private static void assertRefused(String reason, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(Client.Refused.class).hasMessageStartingWith(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.4", "2.1"})
  void aKeyLivesFromItsCreationToItsDestruction(String version) {
    Client client = alice(version);
    String key = client.createAes(256, name("life " + version));
    assertThat(client.get(key)).hasSize(32);
    assertThat(client.state(key)).isEqualTo("PreActive");
    assertThat(client.locate(name("life " + version))).containsExactly(key);

    List<Item> _ = client.ask("Activate", id(key));
    assertThat(client.state(key)).isEqualTo("Active");
    assertRefused(
        version.equals("1.4") ? "PermissionDenied" : "WrongKeyLifecycleState",
        () -> client.ask("Destroy", id(key)));

    client.revoke(key, "CessationOfOperation");
    assertThat(client.state(key)).isEqualTo("Deactivated");
    List<Item> _ = client.ask("Destroy", id(key));
    assertThat(client.state(key)).isEqualTo("Destroyed");
    assertThat(client.locate(name("life " + version))).isEmpty();
    assertThat(
            client.locate(
                name("life " + version), attribute("State", choice("State", "Destroyed"))))
        .containsExactly(key);
    assertRefused(
        version.equals("1.4") ? "PermissionDenied" : "ObjectDestroyed", () -> client.get(key));
  }

  @Test
  void nobodyReachesAnothersObject() {
    Client alice = alice("2.1");
    Client bob = client("2.1", KeyManager.BOB, false);
    String key = alice.createAes(128, name("hers"));

    assertThat(bob.locate(name("hers"))).isEmpty();
    for (String operation : List.of("Get", "GetAttributes", "Activate", "Destroy", "ReKey")) {
      assertRefused("ObjectNotFound", () -> bob.ask(operation, id(key)));
    }
    String missing = "00000000-0000-4000-8000-000000000000";
    assertThatThrownBy(() -> bob.ask("Get", id(key)))
        .as("no other answer than for what does not exist")
        .hasMessage(refusal(() -> bob.ask("Get", id(missing))));
    assertThat(alice.state(key)).isEqualTo("PreActive");
  }

  @Test
  void eachOwnerHasANameOnce() {
    String hers = alice("2.1").createAes(128, name("disk-1"));
    Client bob = client("2.1", KeyManager.BOB, false);
    String his = bob.createAes(128, name("disk-1"));

    assertThat(alice("1.4").locate(name("disk-1"))).containsExactly(hers);
    assertThat(bob.locate(name("disk-1"))).containsExactly(his);
    assertRefused("InvalidField", () -> alice("1.4").createAes(128, name("disk-1")));
    assertRefused("NonUniqueNameAttribute", () -> alice("2.1").createAes(128, name("disk-1")));
  }

  private static String refusal(ThrowingCallable call) {
    try {
      call.call();
    } catch (Throwable e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("not refused");
  }

  @Test
  void aCallerWithoutTheRoleDoesNothing() {
    Client nobody = client("2.1", new KmipCaller("nobody", false, false), true);
    assertRefused("PermissionDenied", () -> nobody.createAes(128));
    assertRefused("PermissionDenied", nobody::locate);
  }

  @Test
  void eachOperationKeepsTheCallersPace() {
    AtomicInteger left = new AtomicInteger(3);
    Client hasty =
        client(
            "2.1",
            new KmipCaller(
                "hasty",
                true,
                false,
                () ->
                    left.getAndDecrement() > 0
                        ? Optional.empty()
                        : Optional.of("the caller's rate-per-second is 2, its burst 2")),
            false);
    String one = hasty.createAes(128);
    String two = hasty.createAes(128);
    assertThat(hasty.locate()).containsExactlyInAnyOrder(one, two);

    assertRefused("ServerLimitExceeded: the caller's rate", () -> hasty.createAes(128));
    left.set(1);
    assertThat(hasty.locate()).as("nothing else was created").hasSize(2);
  }

  private static void fill(int pairs) {
    for (int i = 0; i < pairs; i++) {
      LiveKeyPair pair = manager.hsm.generateExtractable(KeySpec.RSA_2048);
      long _ = manager.pool.add(manager.hsm.wrap(pair));
      var _ = manager.hsm.destroy(pair.privateKey());
    }
  }

  @Test
  void aPairOfThePoolBecomesItsOwners() throws Exception {
    long before = moved("given");
    long taken = manager.pairs.taken(KeySpec.RSA_2048);
    long made = manager.pairs.made(KeySpec.RSA_2048);
    fill(3);
    Client client = alice("1.4");
    Set<String> moduli = new HashSet<>();
    for (int i = 0; i < 3; i++) {
      List<String> pair = client.createPair("RSA", 2048);
      byte[] info = client.get(pair.getLast(), Tag.named("KeyFormatType").item("X_509"));
      RSAPublicKey key =
          (RSAPublicKey) KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(info));
      moduli.add(key.getModulus().toString());
      List<Item> _ = client.ask("Activate", id(pair.getFirst()));
      Signature verifier = Signature.getInstance("SHA256withRSA");
      verifier.initVerify(key);
      verifier.update(DATA);
      assertThat(verifier.verify(sign(client, pair.getFirst()))).isTrue();
    }
    assertThat(moduli).hasSize(3);
    assertThat(number("SELECT count(*) FROM pool_key")).isZero();
    assertThat(number("SELECT count(*) FROM claimed_key")).isZero();
    assertThat(moved("given")).isEqualTo(before + 3);
    assertThat(manager.pairs.taken(KeySpec.RSA_2048)).isEqualTo(taken + 3);
    assertThat(manager.pairs.made(KeySpec.RSA_2048)).as("while a client waited").isEqualTo(made);
  }

  private static byte[] sign(Client client, String key) {
    return bytes(
        client.ask(
            "Sign",
            id(key),
            structure(
                "CryptographicParameters",
                Tag.named("PaddingMethod").item("PKCS1V1_5"),
                Tag.named("HashingAlgorithm").item("SHA_256")),
            bytes("Data", DATA)),
        "SignatureData");
  }

  @Test
  void anEmptyPoolGeneratesMeanwhile() {
    List<String> pair = alice("2.1").createPair("RSA", 2048);
    List<String> curve = alice("2.1").createPair("EC", 256);
    assertThat(pair).doesNotContainAnyElementsOf(curve);
  }

  @Test
  void aPairOfWhichTheInsertFailsIsNobodys() throws Exception {
    long before = moved("discarded");
    fill(1);
    Client client =
        client("1.4", new KmipCaller("x".repeat(70_000).replace('x', '\0'), true, false), false);
    assertThatThrownBy(() -> client.createPair("RSA", 2048)).isInstanceOf(Client.Refused.class);
    manager.unexpected.clear();

    assertThat(number("SELECT count(*) FROM claimed_key")).isZero();
    assertThat(moved("discarded")).isEqualTo(before + 1);
  }

  /** As when this instance was cut off, and another settled what it had. */
  @Test
  void pairsThatAnotherInstanceForfeitedAreNobodys() throws Exception {
    fill(4);
    Client client = alice("2.1");
    List<String> _ = client.createPair("RSA", 2048);
    assertThat(manager.pairs.claimed(KeySpec.RSA_2048)).isEqualTo(3);
    assertThat(manager.pool.forfeitLeftovers()).isEqualTo(3);
    fill(2);

    long objects = number("SELECT count(*) FROM managed_object");
    assertRefused("GeneralFailure: the pair was lost", () -> client.createPair("RSA", 2048));
    assertThat(number("SELECT count(*) FROM managed_object")).isEqualTo(objects);
    List<String> pair = client.createPair("RSA", 2048);
    assertThat(number("SELECT count(*) FROM pool_key")).as("the new ones were taken").isZero();

    assertThat(manager.pool.forfeitLeftovers()).isOne();
    assertRefused(
        "GeneralFailure: the pair was lost", () -> client.ask("ReKeyKeyPair", id(pair.getFirst())));
    assertThat(number("SELECT count(*) FROM managed_object")).isEqualTo(objects + 2);
    assertThat(number("SELECT count(*) FROM claimed_key")).isZero();
    List<Item> replaced = client.ask("ReKeyKeyPair", id(pair.getFirst()));
    assertThat(replaced).as("it was not replaced before").hasSize(2);
  }

  @Test
  void privateKeysLeaveOnlyByPolicy() throws Exception {
    Client strict = alice("2.1");
    String key = strict.createPair("RSA", 2048).getFirst();
    assertRefused("PermissionDenied", () -> strict.get(key));

    byte[] pkcs8 =
        client("2.1", KeyManager.ALICE, true).get(key, Tag.named("KeyFormatType").item("PKCS_8"));
    assertThat(
            KeyFactory.getInstance("RSA")
                .generatePrivate(new PKCS8EncodedKeySpec(pkcs8))
                .getFormat())
        .isEqualTo("PKCS#8");
  }

  private static Item wrappedBy(String key) {
    return structure(
        "KeyWrappingSpecification",
        Tag.named("WrappingMethod").item("Encrypt"),
        structure(
            "EncryptionKeyInformation",
            id(key),
            structure("CryptographicParameters", Tag.named("BlockCipherMode").item("NISTKeyWrap"))),
        Tag.named("EncodingOption").item("NoEncoding"));
  }

  @Test
  void aKeyIsWrappedByAnotherAsNistDescribesIt() throws Exception {
    Client alice = alice("1.4");
    String kek = alice.createAes(256);
    List<Item> _ = alice.ask("Activate", id(kek));
    String key = alice.createAes(256);

    Cipher unwrap = Cipher.getInstance("AESWrap");
    unwrap.init(Cipher.UNWRAP_MODE, new SecretKeySpec(alice.get(kek), "AES"));
    assertThat(unwrap.unwrap(alice.get(key, wrappedBy(kek)), "AES", Cipher.SECRET_KEY).getEncoded())
        .isEqualTo(alice.get(key));

    Client bob = client("1.4", KeyManager.BOB, false);
    String his = bob.createAes(128);
    assertRefused("PermissionDenied", () -> bob.get(his, wrappedBy(kek)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.4", "2.1"})
  void dataIsEncryptedAndDecrypted(String version) {
    Client client = alice(version);
    String key = client.createAes(256);
    List<Item> _ = client.ask("Activate", id(key));
    Item gcm = structure("CryptographicParameters", Tag.named("BlockCipherMode").item("GCM"));
    Item aad = bytes("AuthenticatedEncryptionAdditionalData", new byte[] {1, 2});
    List<Item> encrypted = client.ask("Encrypt", id(key), gcm, bytes("Data", DATA), aad);

    Item data = Client.only(encrypted, "Data");
    Item nonce = Client.only(encrypted, "IVCounterNonce");
    Item tag = Client.only(encrypted, "AuthenticatedEncryptionTag");
    assertThat(bytes(client.ask("Decrypt", id(key), gcm, data, nonce, aad, tag), "Data"))
        .isEqualTo(DATA);
    Item other = bytes("AuthenticatedEncryptionTag", new byte[16]);
    assertRefused(
        "CryptographicFailure", () -> client.ask("Decrypt", id(key), gcm, data, nonce, aad, other));
  }

  @Test
  void aDateBringsTheStateThatItNames() {
    Client client = alice("2.1");
    String key =
        client.createAes(
            128,
            attribute("Activation Date", new Value.DateTime(now.plusSeconds(60).getEpochSecond())),
            attribute(
                "Deactivation Date", new Value.DateTime(now.plusSeconds(120).getEpochSecond())));
    assertThat(client.state(key)).isEqualTo("PreActive");
    now = now.plus(Duration.ofSeconds(60));
    assertThat(client.state(key)).isEqualTo("Active");
    now = now.plus(Duration.ofSeconds(60));
    assertThat(client.state(key)).isEqualTo("Deactivated");
  }

  @Test
  void anAttributeIsNotModifiedInThePlaceOfAnother() {
    Client client = alice("2.1");
    Item comment = Tag.named("Comment").item(new Value.Text("kept"));
    String key = client.createAes(128, name("unchanged"), attribute("Comment", comment.value()));
    Item renamed =
        structure(
            "NewAttribute",
            structure(
                "Name",
                Tag.named("NameValue").item(new Value.Text("changed")),
                Tag.named("NameType").item("UninterpretedTextString")));

    assertRefused(
        "InvalidField",
        () ->
            client.ask(
                "ModifyAttribute", id(key), structure("CurrentAttribute", comment), renamed));
    assertThat(client.locate(name("unchanged"))).containsExactly(key);
  }

  @Test
  void aReplacedKeyHandsItsNameOn() {
    Client client = alice("1.4");
    String old = client.createAes(128, name("rotated"));
    now = now.plusSeconds(5);
    String next = Client.text(Client.only(client.ask("ReKey", id(old)), "UniqueIdentifier"));
    assertThat(client.locate(name("rotated"))).containsExactly(next);
    assertThat(client.get(next)).isNotEqualTo(client.get(old));
    assertRefused("PermissionDenied", () -> client.ask("ReKey", id(old)));
    Item asked = Tag.named("AttributeName").item(new Value.Text("Last Change Date"));
    Item changed = client.ask("GetAttributes", id(old), asked).getLast();
    assertThat(Client.only(Client.items(changed), "AttributeValue").value())
        .isEqualTo(new Value.DateTime(now.getEpochSecond()));
  }

  @Test
  void attributesAreFoundByTheirValues() {
    Client client = client("1.4", new KmipCaller("finder", true, false), false);
    String small = client.createAes(128);
    String large = client.createAes(256);
    assertThat(client.locate()).containsExactly(large, small);
    assertThat(client.locate(attribute("Cryptographic Length", new Value.Int(128))))
        .containsExactly(small);
    assertThat(client.locate(attribute("Object Type", choice("ObjectType", "PublicKey"))))
        .isEmpty();
    assertThat(client.locate(attribute("State", choice("State", "PreActive")))).hasSize(2);
  }

  private static long moved(String move) throws SQLException {
    return number("SELECT sum(keys) FROM key_ledger WHERE move = '%s'".formatted(move));
  }

  private static long number(String sql) throws SQLException {
    try (Connection connection = manager.dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
