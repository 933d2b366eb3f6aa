package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.keywell.acceptance.running.XksClient.base64;
import static org.keywell.acceptance.running.XksClient.body;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Site;
import org.keywell.acceptance.running.XksClient;
import org.keywell.acceptance.running.XksClient.Answer;
import org.keywell.testkit.Await;
import org.keywell.testkit.SslScan;
import org.keywell.testkit.TlsAuthority;

/** The executable jar as an external key store, and the commands for its keys beside it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(280)
final class XksIT {

  private static final Pattern URL = Pattern.compile("XKS: (https://[^,]+/kms/xks/v1),");
  private static final String TEXT = base64("Hello World!");
  private static final String AAD = "cHJvamVjdD1uaWxlLGRlcGFydG1lbnQ9bWFya2V0aW5n";
  private static final String AAD_MEMBER = "\"additionalAuthenticatedData\":\"%s\",".formatted(AAD);

  private Path home;
  private Path credentials;
  private TlsAuthority authority;
  private Site site;
  private KeywellProcess keywell;
  private URI url;
  private SSLContext tls;
  private XksClient client;

  @BeforeAll
  void start(@TempDir Path home, @TempDir Path files) throws Exception {
    this.home = home;
    authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("kms", "extendedKeyUsage=clientAuth");
    authority.certify("other", "extendedKeyUsage=clientAuth");
    authority.certify("KMS", "extendedKeyUsage=clientAuth");
    credentials = files.resolve("credentials");
    writeCredentials(XksClient.ACCESS_KEY_ID + " " + XksClient.SECRET);
    site = Site.create(home);
    keywell = KeywellProcess.startJar(List.of(), settings(), home.resolve("log"));
    var _ = keywell.awaitReady();
    Await.until("it says where", () -> URL.matcher(keywell.log()).find());
    Matcher found = URL.matcher(keywell.log());
    assertThat(found.find()).isTrue();
    url = URI.create(found.group(1));
    tls = authority.context("kms");
    client = new XksClient(tls, url);
    assertThat(xks("create-key", "foo")).contains("created: key foo");
  }

  @AfterAll
  void stop() throws Exception {
    client.close();
    keywell.terminate();
    assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(143);
    site.close();
  }

  private void writeCredentials(String... lines) throws IOException {
    Files.writeString(credentials, String.join("\n", lines) + "\n");
    Files.setPosixFilePermissions(credentials, PosixFilePermissions.fromString("rw-------"));
  }

  private Map<String, String> settings() {
    Map<String, String> xks = new HashMap<>(authority.serverSettings());
    xks.keySet().removeIf(name -> name.startsWith("server.ssl.") || name.contains("callers"));
    xks.put("keywell.xks.enabled", "true");
    xks.put("keywell.xks.port", "0");
    xks.put("keywell.xks.bundle", "service");
    xks.put("keywell.xks.client-subject", "CN=kms");
    xks.put("keywell.xks.credentials-file", credentials.toString());
    xks.put("keywell.xks.path-prefix", "/example/store");
    xks.put("keywell.warm-up", "1s");
    // Other tests run beside this one, which is not about time.
    xks.put("keywell.xks.deadline", "5s");
    xks.put("keywell.log.origin", "localhost/xks-test");
    return site.settings(xks);
  }

  /** Runs a command to its end, and returns what it says. */
  private String xks(String... arguments) throws Exception {
    return xks(settings(), arguments);
  }

  private String xksAsOwner(String... arguments) throws Exception {
    Map<String, String> settings = new HashMap<>(settings());
    settings.put("keywell.database.owner.username", site.database().asOwner().username());
    settings.put("keywell.database.owner.password", site.database().asOwner().password());
    return xks(settings, arguments);
  }

  private String xks(Map<String, String> settings, String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = "xks";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Path log = Files.createTempFile(home, "command", ".log");
    try (KeywellProcess process = KeywellProcess.start(settings, log, command)) {
      int exit = process.awaitExit();
      return process.log() + (exit == 0 ? "" : " exit " + exit);
    }
  }

  private Answer encrypt(String members) throws Exception {
    return client.post("/keys/foo/encrypt", body("GenerateDataKey", members));
  }

  private static void assertFails(Answer answer, int status, String name) {
    assertThat(answer.text("errorName")).as(answer.body().toString()).isEqualTo(name);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.text("errorMessage")).hasSizeLessThan(512);
  }

  @Test
  void theStoreIsHealthy() throws Exception {
    Answer health = client.health();

    assertThat(health.status()).as(health.body().toString()).isEqualTo(200);
    assertThat(health.body().path("xksProxyFleetSize").asInt()).isOne();
    assertThat(health.body().path("ekmFleetDetails").path(0).path("healthStatus").asString())
        .isEqualTo("ACTIVE");
    assertFails(client.post("/health", "{}"), 400, "ValidationException");
    assertFails(client.post("/health", "{\"requestMetadata\":{}}"), 400, "ValidationException");
  }

  @Test
  @Tag("lint")
  void aScannerFindsNothingWeak() throws Exception {
    SslScan scan = SslScan.of(url.getPort());
    assertThat(scan.versions()).containsExactly("tls 1.2", "tls 1.3");
    assertThat(scan.groups()).contains("x25519");
    assertThat(scan.weak()).isEmpty();
  }

  @Test
  void aKeyHasMetadata() throws Exception {
    Answer metadata = client.post("/keys/foo/metadata", body("CreateKey", ""));

    assertThat(metadata.status()).isEqualTo(200);
    assertThat(metadata.body().toString())
        .isEqualTo(
            "{\"keySpec\":\"AES_256\",\"keyUsage\":[\"ENCRYPT\",\"DECRYPT\"],\"keyStatus\":\"ENABLED\"}");
    assertFails(
        client.post("/keys/missing/metadata", body("CreateKey", "")), 404, "KeyNotFoundException");
    assertFails(client.post("/keys/foo/metadata", "{}"), 400, "ValidationException");
    assertFails(
        client.post("/keys/foo/metadata", body("CreateKey", "") + "x"), 400, "ValidationException");
  }

  @Test
  void whatIsEncryptedDecryptsWithTheSameDataOnly() throws Exception {
    Answer encrypted = encrypt("\"plaintext\":\"" + TEXT + "\"," + AAD_MEMBER);

    assertThat(encrypted.status()).as(encrypted.body().toString()).isEqualTo(200);
    assertThat(encrypted.bytes("ciphertext")).hasSize(12);
    assertThat(encrypted.bytes("authenticationTag")).hasSize(16);
    assertThat(encrypted.bytes("initializationVector")).hasSize(12);
    assertThat(client.decrypt("foo", encrypted, AAD_MEMBER).text("plaintext")).isEqualTo(TEXT);
    assertFails(client.decrypt("foo", encrypted), 400, "InvalidCiphertextException");
    assertFails(
        client.decrypt(
            "foo", encrypted, "\"additionalAuthenticatedData\":\"%s\",".formatted(base64("other"))),
        400,
        "InvalidCiphertextException");
    String moved =
        body("Decrypt", "").replace("\"encryption", "\"ciphertextMetadata\":\"Ag==\",\"encryption");
    assertFails(client.post("/keys/foo/decrypt", moved), 400, "ValidationException");
  }

  @Test
  void theIntegrityValueCoversTheAnswer() throws Exception {
    Answer answer =
        encrypt(
            "\"plaintext\":\"%s\",%s\"ciphertextDataIntegrityValueAlgorithm\":\"SHA_256\","
                .formatted(TEXT, AAD_MEMBER));

    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(Base64.getDecoder().decode(AAD));
    for (String member :
        new String[] {
          "ciphertextMetadata", "initializationVector", "ciphertext", "authenticationTag"
        }) {
      all.writeBytes(answer.bytes(member));
    }
    assertThat(answer.bytes("ciphertextDataIntegrityValue"))
        .isEqualTo(MessageDigest.getInstance("SHA-256").digest(all.toByteArray()));
  }

  @Test
  void theLargestValuesFitAndLargerOnesAreRefused() throws Exception {
    String largest = base64("x".repeat(4300));
    String aad = "\"additionalAuthenticatedData\":\"%s\",".formatted(base64("y".repeat(8192)));

    Answer encrypted = encrypt("\"plaintext\":\"" + largest + "\"," + aad);

    assertThat(client.decrypt("foo", encrypted, aad).text("plaintext")).isEqualTo(largest);
    assertFails(
        encrypt("\"plaintext\":\"" + base64("x".repeat(4301)) + "\","),
        501,
        "UnsupportedOperationException");
    assertFails(encrypt(""), 400, "ValidationException");
    assertFails(encrypt("\"plaintext\":\"no!\","), 400, "ValidationException");
    assertFails(
        encrypt(
            "\"plaintext\":\"%s\",\"ciphertextDataIntegrityValueAlgorithm\":\"MD5\","
                .formatted(TEXT)),
        400,
        "ValidationException");
  }

  @Test
  void strangersAndWrongPathsAreRefused() throws Exception {
    try (XksClient stranger =
            new XksClient(tls, url, "INVALID" + XksClient.ACCESS_KEY_ID, XksClient.SECRET);
        XksClient forger =
            new XksClient(tls, url, XksClient.ACCESS_KEY_ID, "Invalid" + XksClient.SECRET);
        XksClient lost = new XksClient(tls, URI.create(url.toString().replace("store", "no")))) {
      assertFails(stranger.health(), 401, "AuthenticationFailedException");
      assertFails(forger.encrypt("foo", "x"), 401, "AuthenticationFailedException");
      assertFails(lost.health(), 404, "InvalidUriPathException");
      assertFails(client.post("/keys/foo/wrap", "{}"), 404, "InvalidUriPathException");
    }
  }

  @Test
  void onlyTheNamedClientCompletesAHandshake() throws Exception {
    try (XksClient other = new XksClient(authority.context("other"), url);
        XksClient lookAlike = new XksClient(authority.context("KMS"), url);
        XksClient nobody = new XksClient(authority.context(null), url)) {
      assertThatThrownBy(other::health).isInstanceOf(IOException.class);
      assertThatThrownBy(lookAlike::health).isInstanceOf(IOException.class);
      assertThatThrownBy(nobody::health).isInstanceOf(IOException.class);
    }
  }

  @Test
  void credentialsAreReplacedWhileItRuns() throws Exception {
    String id = "KEYWELLNEWACCESSKEY22222";
    try (XksClient renewed = new XksClient(tls, url, id, "n" + XksClient.SECRET)) {
      assertFails(renewed.health(), 401, "AuthenticationFailedException");
      writeCredentials(
          XksClient.ACCESS_KEY_ID + " " + XksClient.SECRET, id + " n" + XksClient.SECRET);
      Await.until("the new one is valid", () -> renewed.health().status() == 200);
      assertThat(client.health().status()).as("the old one").isEqualTo(200);
    }
  }

  @Test
  void statesAndUsagesCountAtOnce() throws Exception {
    assertThat(xks("create-key", "--usage", "encrypt", "ends")).contains("for encrypt");
    Answer encrypted = client.encrypt("ends", "text");
    assertThat(encrypted.status()).isEqualTo(200);
    assertFails(client.decrypt("ends", encrypted), 400, "InvalidKeyUsageException");
    assertThat(xks("create-key", "ends")).contains("there is or was a key ends", "exit 2");

    assertThat(xks("restrict", "--usage", "decrypt", "ends")).contains("for decrypt");
    assertFails(client.encrypt("ends", "text"), 400, "InvalidKeyUsageException");
    assertThat(client.decrypt("ends", encrypted).text("plaintext")).isEqualTo(base64("text"));

    assertThat(xks("check", "ends")).contains("has key ends");
    assertThat(xks("check", "missing")).contains("there is no key missing", "exit 2");
    assertThat(xks("disable", "ends")).contains("is disabled");
    assertFails(client.decrypt("ends", encrypted), 400, "InvalidStateException");
    assertThat(client.post("/keys/ends/metadata", body("DescribeKey", "")).text("keyStatus"))
        .isEqualTo("DISABLED");

    assertThat(xks("destroy", "ends")).contains("is destroyed; it was in 1 of 1 tokens");
    assertFails(client.decrypt("ends", encrypted), 404, "KeyNotFoundException");
    assertThat(xks("enable", "ends")).contains("is destroyed", "exit 2");
    assertThat(xks("list")).contains("destroyed", "foo");
  }

  /** Who was behind a use can be told until it is erased. The log never names anybody. */
  @Test
  void usesAreInTheLogWithoutTheirPrincipal() throws Exception {
    String alice = "arn:aws:iam::123456789012:user/Alice";
    assertThat(client.encrypt("foo", "text").status()).isEqualTo(200);

    Await.until("the use is in the log", () -> entries("TRUE") > 0);
    Await.until("its principal is known", () -> entries(known(alice)) > 0);
    assertThat(entries("convert_from(entry, 'UTF8') ~ '(Alice|123456789012|kms)'")).isZero();
    assertThat(xks("erase")).contains("either PRINCIPAL or --before DAY", "exit 2");
    assertThat(xks("erase", alice)).contains("set keywell.database.owner.username", "exit 2");
    assertThat(xksAsOwner("erase", "--before", "2001-01-01")).contains("erased of 0 uses");
    long entries = entries("TRUE");

    assertThat(xksAsOwner("erase", alice)).contains("what clients said is erased of ");

    assertThat(entries(known(alice))).isZero();
    assertThat(entries("TRUE")).isGreaterThanOrEqualTo(entries);
  }

  private static String known(String principal) {
    return """
    EXISTS (
      SELECT FROM xks_use u
      WHERE principal = '%s' AND convert_from(entry, 'UTF8')::jsonb ->> 'client' = encode(
        xks_client(u.salt, u.principal, u.kms_key, u.kms_operation, u.kms_request), 'hex'))
    """
        .formatted(principal);
  }

  private long entries(String that) throws Exception {
    return site.sql()
        .count(
            """
            SELECT count(*) FROM log_entry
            WHERE convert_from(entry, 'UTF8')::jsonb @> '{"type": "xks", "operation": "Encrypt",
              "key": "foo", "v": 2}' AND %s
            """
                .formatted(that));
  }
}
