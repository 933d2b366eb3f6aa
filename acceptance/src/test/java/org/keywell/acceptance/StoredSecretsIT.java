package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.asn1.ASN1Primitive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.pkcs11.KeyAttributes;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.signing.hsm.Devices;
import org.keywell.testkit.Sql;

/** Rule 2: the database holds nothing that opens a private key. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StoredSecretsIT {

  private static final int STOCK = 5;

  private Site site;
  private Sql sql;
  private RunningKeywell keywell;

  /** Some keys are used, some loaded and some stored, so that every table has rows. */
  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    site = Site.create(home);
    sql = site.sql();
    site.stock(KeySpec.RSA_2048, STOCK);
    site.stock(KeySpec.EC_P256, STOCK);
    keywell =
        RunningKeywell.start(
            site.settings(Settings.pool(KeySpec.RSA_2048, 1), Settings.pool(KeySpec.EC_P256, 1)));
    for (KeySpec spec : List.of(KeySpec.RSA_2048, KeySpec.EC_P256)) {
      SignBody body =
          SignBody.of("document").keySpec(spec).signer("serialNumber", "PNOSE-197001011234");
      assertThat(keywell.http().sign(body).status()).isEqualTo(200);
      keywell.awaitLoaded(spec, 1);
    }
  }

  @AfterAll
  void stop() {
    keywell.close();
    site.close();
  }

  @Test
  void noBlobIsAKeyInClear() throws Exception {
    for (Row row : rows()) {
      assertNoPrivateKey("pool row " + row.id(), row.blob());
      PublicKey publicKey =
          KeyFactory.getInstance(row.spec().algorithm().name())
              .generatePublic(new X509EncodedKeySpec(row.publicKey()));
      String blob = HexFormat.of().formatHex(row.blob());
      // PKCS#8, PKCS#1 and SEC 1 all repeat the public part in an RSA or, as a rule, an EC key.
      assertThat(blob).doesNotContain(publicPart(publicKey));
      assertThat(blob).doesNotContain("2a864886f70d0101").doesNotContain("2a8648ce3d");
    }
  }

  @Test
  void noColumnHoldsAKeyInClear() throws Exception {
    for (Column column : columns()) {
      if (column.type().equals("bytea")) {
        for (byte[] value : sql.bytes(column.select())) {
          assertNoPrivateKey(column.toString(), value);
        }
      }
      assertThat(sql.texts("SELECT t.c::text FROM (%s) AS t (c)".formatted(column.select())))
          .as(column.toString())
          .noneMatch(value -> value.contains("PRIVATE KEY"));
    }
  }

  @Test
  void noColumnHoldsThePin() throws Exception {
    String pin = new String(site.token().pinCharacters());
    byte[] utf8 = pin.getBytes(StandardCharsets.UTF_8);
    List<String> forms =
        List.of(
            pin,
            HexFormat.of().formatHex(utf8),
            HexFormat.of().formatHex(pin.getBytes(StandardCharsets.UTF_16LE)),
            HexFormat.of().formatHex(hash("SHA-256", utf8)),
            HexFormat.of().formatHex(hash("SHA-1", utf8)),
            Base64.getEncoder().encodeToString(utf8));
    for (String table : tables()) {
      for (String row : sql.texts("SELECT t::text FROM %s t".formatted(table))) {
        assertThat(forms).as(table).noneMatch(row::contains);
      }
    }
  }

  @Test
  void noBlobOpensUnderAnythingAtHand() throws Exception {
    Set<String> keys = new LinkedHashSet<>();
    for (byte[] secret : secretsAtHand()) {
      aesKeys(secret).forEach(key -> keys.add(HexFormat.of().formatHex(key)));
    }
    List<byte[]> blobs = rows().stream().map(Row::blob).toList();
    for (String key : keys) {
      for (byte[] blob : blobs) {
        assertThat(opens(blob, HexFormat.of().parseHex(key))).as("under %s", key).isFalse();
      }
    }

    byte[] weak = wrapUnderThePin();
    assertThat(keys.stream().anyMatch(key -> opens(weak, HexFormat.of().parseHex(key))))
        .as("control: a key that was wrapped under the PIN opens")
        .isTrue();
  }

  @Test
  void theWrappingKeyOnlyWrapsAndStaysInside() {
    assertThat(KeyAttributes.ofWrappingKey(keywell.part(Devices.class).first().pkcs11()))
        .containsAllEntriesOf(
            Map.ofEntries(
                Map.entry("CKA_TOKEN", true),
                Map.entry("CKA_PRIVATE", true),
                Map.entry("CKA_SENSITIVE", true),
                Map.entry("CKA_EXTRACTABLE", false),
                Map.entry("CKA_WRAP", true),
                Map.entry("CKA_UNWRAP", true),
                Map.entry("CKA_ENCRYPT", false),
                Map.entry("CKA_DECRYPT", false),
                Map.entry("CKA_SIGN", false),
                Map.entry("CKA_VERIFY", false),
                Map.entry("CKA_DERIVE", false),
                Map.entry("CKA_MODIFIABLE", false)));
  }

  /** The control of all the above: the blobs are keys, for the HSM alone. */
  @Test
  void eachBlobUnwrapsInsideTheHsmToAKeyThatOnlySigns() throws Exception {
    Pkcs11Hsm hsm = keywell.part(Devices.class).first().pkcs11();
    for (Row row : rows()) {
      KeyHandle key =
          hsm.unwrap(
              new WrappedKey(
                  row.spec(), hsm.wrappingKeyId(), "AES-KWP", row.publicKey(), row.blob()));
      try {
        assertThat(KeyAttributes.of(hsm, key))
            .containsAllEntriesOf(
                Map.of(
                    "CKA_TOKEN", false,
                    "CKA_PRIVATE", true,
                    "CKA_SENSITIVE", true,
                    "CKA_EXTRACTABLE", false,
                    "CKA_SIGN", true,
                    "CKA_DECRYPT", false,
                    "CKA_UNWRAP", false,
                    "CKA_DERIVE", false));
        boolean rsa = row.spec().algorithm() == KeySpec.Algorithm.RSA;
        byte[] signature =
            hsm.sign(
                key,
                rsa ? SignatureScheme.RSASSA_PKCS1_V1_5 : SignatureScheme.ECDSA,
                DigestAlgorithm.SHA_256,
                hash("SHA-256", "control".getBytes(StandardCharsets.UTF_8)));
        var verifier =
            java.security.Signature.getInstance(rsa ? "SHA256withRSA" : "SHA256withECDSA");
        verifier.initVerify(
            KeyFactory.getInstance(row.spec().algorithm().name())
                .generatePublic(new X509EncodedKeySpec(row.publicKey())));
        verifier.update("control".getBytes(StandardCharsets.UTF_8));
        assertThat(verifier.verify(signature)).isTrue();
      } finally {
        assertThat(hsm.destroy(key).succeeded()).isTrue();
      }
    }
  }

  private record Row(String id, KeySpec spec, byte[] publicKey, byte[] blob) {}

  private List<Row> rows() throws SQLException {
    List<Row> rows = new ArrayList<>();
    for (String id : sql.texts("SELECT id FROM pool_key ORDER BY id")) {
      String where = " FROM pool_key WHERE id = " + id;
      rows.add(
          new Row(
              id,
              KeySpec.ofLabel(sql.text("SELECT key_spec" + where)),
              sql.bytes("SELECT public_key" + where).getFirst(),
              sql.bytes("SELECT wrapped_private_key" + where).getFirst()));
    }
    assertThat(rows).as("rows in the pool").hasSize(2 * (STOCK - 2));
    return rows;
  }

  private record Column(String table, String name, String type) {
    String select() {
      return "SELECT %s FROM %s WHERE %s IS NOT NULL".formatted(name, table, name);
    }
  }

  private List<String> tables() throws SQLException {
    List<String> tables =
        sql.texts(
            """
            SELECT table_name FROM information_schema.tables
            WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
            """);
    assertThat(tables).contains("pool_key", "claimed_key", "sign_request", "ca_chain");
    return tables;
  }

  private List<Column> columns() throws SQLException {
    return sql
        .texts(
            """
            SELECT concat_ws(' ', table_name, column_name, udt_name)
            FROM information_schema.columns JOIN information_schema.tables
              USING (table_schema, table_name)
            WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
            """)
        .stream()
        .map(line -> line.split(" ", -1))
        .map(parts -> new Column(parts[0], parts[1], parts[2]))
        .toList();
  }

  /** All that an attacker with the database, the service's files and its settings has. */
  private List<byte[]> secretsAtHand() throws SQLException {
    List<byte[]> secrets = new ArrayList<>();
    for (Column column : columns()) {
      if (column.type().equals("bytea")) {
        secrets.addAll(sql.bytes(column.select()));
      } else {
        sql.texts(column.select().replace("SELECT", "SELECT DISTINCT")).stream()
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .forEach(secrets::add);
      }
    }
    Pkcs11Hsm hsm = keywell.part(Devices.class).first().pkcs11();
    String wrappingKeyId = hsm.wrappingKeyId();
    String identifier = wrappingKeyId.substring(wrappingKeyId.indexOf(':') + 1);
    List<String> texts =
        List.of(
            new String(site.token().pinCharacters()),
            site.token().config().tokenLabel(),
            site.token().config().wrappingKeyLabel(),
            wrappingKeyId,
            identifier,
            "keywell",
            "keywell-1",
            "");
    texts.forEach(text -> secrets.add(text.getBytes(StandardCharsets.UTF_8)));
    secrets.add(HexFormat.of().parseHex(identifier));
    secrets.add(new byte[] {-1});
    return secrets;
  }

  /** As AES keys of each length: cut, padded with zeros, or hashed. */
  private static List<byte[]> aesKeys(byte[] secret) throws GeneralSecurityException {
    List<byte[]> keys = new ArrayList<>();
    for (int length : new int[] {16, 24, 32}) {
      keys.add(Arrays.copyOf(secret, length));
      keys.add(Arrays.copyOf(hash("SHA-512", secret), length));
    }
    keys.add(hash("SHA-256", secret));
    keys.add(Arrays.copyOf(hash("SHA-256", secret), 16));
    keys.add(hash("MD5", secret));
    return keys;
  }

  private static boolean opens(byte[] blob, byte[] key) {
    for (String transformation : List.of("AES/KWP/NoPadding", "AES/KW/NoPadding")) {
      try {
        Cipher cipher = Cipher.getInstance(transformation);
        cipher.init(Cipher.DECRYPT_MODE, new SecretKeySpec(key, "AES"));
        cipher.doFinal(blob);
        return true;
      } catch (GeneralSecurityException e) {
        // As it is to be: the integrity check of RFC 5649 or 3394 fails.
      }
    }
    return false;
  }

  private byte[] wrapUnderThePin() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    byte[] pin = new String(site.token().pinCharacters()).getBytes(StandardCharsets.UTF_8);
    Cipher cipher = Cipher.getInstance("AES/KWP/NoPadding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(hash("SHA-256", pin), "AES"));
    return cipher.doFinal(generator.generateKeyPair().getPrivate().getEncoded());
  }

  private static void assertNoPrivateKey(String what, byte[] value) {
    for (String algorithm : List.of("RSA", "EC", "EdDSA", "XDH", "DSA", "DH")) {
      assertThatThrownBy(() ->
              KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(value)))
          .as("%s as PKCS#8 of %s", what, algorithm)
          .isInstanceOf(GeneralSecurityException.class);
    }
    for (PrivateForm form : PRIVATE_FORMS) {
      assertThatThrownBy(() -> form.parse(ASN1Primitive.fromByteArray(value)))
          .as(what)
          .isInstanceOf(Exception.class);
    }
    assertThat(new String(value, StandardCharsets.ISO_8859_1).toUpperCase(Locale.ROOT))
        .as(what)
        .doesNotContain("PRIVATE KEY");
  }

  /** A syntax of private keys; parsing fails if it is another. */
  private interface PrivateForm {
    Object parse(ASN1Primitive value) throws Exception;
  }

  private static final List<PrivateForm> PRIVATE_FORMS =
      List.of(
          value -> present(org.bouncycastle.asn1.pkcs.PrivateKeyInfo.getInstance(value)),
          value -> present(org.bouncycastle.asn1.pkcs.EncryptedPrivateKeyInfo.getInstance(value)),
          value -> present(org.bouncycastle.asn1.pkcs.RSAPrivateKey.getInstance(value)),
          value -> present(org.bouncycastle.asn1.sec.ECPrivateKey.getInstance(value)).getKey());

  /** Bouncy Castle reads an empty value as no object. */
  private static <T> T present(T parsed) {
    if (parsed == null) {
      throw new IllegalArgumentException("no object");
    }
    return parsed;
  }

  private static String publicPart(PublicKey key) {
    BigInteger part =
        switch (key) {
          case RSAPublicKey rsa -> rsa.getModulus();
          case ECPublicKey ec -> ec.getW().getAffineX();
          default -> throw new AssertionError(key.getAlgorithm());
        };
    return part.toString(16);
  }

  private static byte[] hash(String algorithm, byte[] value) throws GeneralSecurityException {
    return MessageDigest.getInstance(algorithm).digest(value);
  }
}
