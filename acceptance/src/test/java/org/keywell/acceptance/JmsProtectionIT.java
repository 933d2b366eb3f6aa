package org.keywell.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.acceptance.running.ArtemisBroker;
import org.keywell.acceptance.running.CmsMessages;
import org.keywell.acceptance.running.ForeignProgram;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.JmsClient;
import org.keywell.acceptance.running.ProtectedQueues;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Messages that are protected from end to end, made and read by openssl: they are accepted no
 * matter who carries them, and in no other form.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(280)
final class JmsProtectionIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int KEYS = 20;
  private static final String DOCUMENT = "a document";
  private static final String PORTALS = ArtemisBroker.REPLIES + ArtemisBroker.PORTAL;
  private static final long SOON = 20_000;

  private Site site;
  private ArtemisBroker broker;
  private Map<String, String> settings;
  private RunningKeywell keywell;
  private CmsMessages cms;
  private JmsClient portal;
  private JmsClient service;

  /** Someone who may send, and nothing else: over AMQP, by a client of another maker. */
  private JmsClient carrier;

  @BeforeAll
  void start(@TempDir Path home, @TempDir Path files) throws Exception {
    site = Site.create(home);
    site.stock(SPEC, KEYS);
    broker = ArtemisBroker.start(files.resolve("broker"));
    cms = new CmsMessages(files);
    settings =
        site.settings(
            Settings.pool(SPEC, KEYS),
            ArtemisBroker.settings(broker.port(), files),
            ProtectedQueues.settings(files));
    keywell = RunningKeywell.start(settings);
    keywell.awaitLoaded(SPEC, KEYS);
    portal = JmsClient.artemis(broker.port(), ArtemisBroker.PORTAL);
    service = JmsClient.artemis(broker.port(), ArtemisBroker.SERVICE);
    carrier = JmsClient.amqp(broker.port(), ArtemisBroker.STRANGER);
  }

  @AfterAll
  void stop() throws Exception {
    carrier.close();
    portal.close();
    service.close();
    keywell.close();
    broker.close();
    assertThat(site.ledger().balances()).allMatch(balance -> balance.difference() == 0);
    site.close();
  }

  private static byte[] entity(String id, String to) {
    return entity(id, Instant.now(), to, PORTALS, UUID.randomUUID());
  }

  private static byte[] entity(String id, Instant date, String to, String replyTo, UUID request) {
    String json = SignBody.of(DOCUMENT).keySpec(SPEC).requestId(request).json();
    return CmsMessages.entity(id, date, to, replyTo, json);
  }

  private static String id() {
    return UUID.randomUUID() + "@tax.example";
  }

  private byte[] answer() throws JMSException {
    return Objects.requireNonNull(portal.nextOf(PORTALS, SOON), "no answer came")
        .getBody(byte[].class);
  }

  /** The answer to a request, once whatever protects it is removed. */
  private static void assertSigned(byte[] entity, String requestId) throws Exception {
    String text = new String(entity, UTF_8);
    assertThat(text).contains("To: " + PORTALS + "\r\n", "In-Reply-To: <" + requestId + ">\r\n");
    assertSigned(JsonMapper.shared().readTree(text.substring(text.indexOf("\r\n\r\n") + 4)));
  }

  private static void assertSigned(JsonNode body) throws Exception {
    SignedAnswer.of(new HttpApi.Answer(200, body, "", "", ""))
        .verify("SHA256withECDSA", DOCUMENT.getBytes(UTF_8));
  }

  @Test
  void aSignedRequestIsItsSignersNoMatterWhoCarriesIt() throws Exception {
    String id = id();
    carrier.send(ArtemisBroker.SIGNED, cms.sign(entity(id, ArtemisBroker.SIGNED), "portal"));

    assertSigned(cms.verify(answer(), "ca"), id);
    assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE caller = 'portal'"))
        .isPositive();
  }

  @Test
  void aPrivateRequestIsReadByNobodyOnTheWay() throws Exception {
    String id = id();
    byte[] signed = cms.sign(entity(id, ArtemisBroker.PRIVATE), "portal");
    carrier.send(ArtemisBroker.PRIVATE, cms.encrypt(signed, ProtectedQueues.SERVICE));

    byte[] answer = answer();
    assertThat(new String(answer, UTF_8)).doesNotContain("certificateChain");
    assertSigned(cms.verify(cms.decrypt(answer, ProtectedQueues.BOX), "ca"), id);
  }

  @Test
  void aSecretRequestIsTheConnections() throws Exception {
    String id = id();
    byte[] secret = cms.encrypt(entity(id, ArtemisBroker.SECRET), ProtectedQueues.SERVICE);
    portal.send(ArtemisBroker.SECRET, secret);

    assertSigned(cms.decrypt(answer(), ProtectedQueues.BOX), id);
    carrier.send(
        ArtemisBroker.SECRET,
        cms.encrypt(entity(id(), ArtemisBroker.SECRET), ProtectedQueues.SERVICE));
    assertRefused("caller-unknown");
  }

  /** As examples/protected-request has it, compiled and run as its reader would. */
  @Test
  void theExampleGetsItsAnswer(@TempDir Path files) throws Exception {
    Path document = Files.writeString(files.resolve("document"), DOCUMENT);
    Path store = cms.keyStore("portal", files.resolve("portal.p12"), "changeit");
    ProcessBuilder example =
        new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            System.getProperty("java.class.path"),
            Path.of("..", "examples", "protected-request", "SignOverBroker.java").toString(),
            "amqp://127.0.0.1:" + broker.port(),
            ArtemisBroker.PORTAL,
            ArtemisBroker.SIGNED,
            PORTALS,
            store.toString(),
            cms.certificate("ca").toString(),
            "CN=" + ProtectedQueues.SIGNER,
            document.toString());
    example.environment().put("BROKER_PASSWORD", ArtemisBroker.password(ArtemisBroker.PORTAL));
    example.environment().put("KEYSTORE_PASSWORD", "changeit");
    Path out = files.resolve("out");
    Path err = files.resolve("err");
    Process process = example.redirectOutput(out.toFile()).redirectError(err.toFile()).start();

    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
    assertSigned(JsonMapper.shared().readTree(Files.readString(out)));
  }

  /** Qpid Proton, in Python, shares nothing with this service or its broker. */
  @Test
  @Tag("lint")
  void protonSendsARequestAndGetsItsAnswer(@TempDir Path files) throws Exception {
    String id = id();
    Path request = files.resolve("request");
    Path answer = files.resolve("answer");
    Files.write(request, cms.sign(entity(id, ArtemisBroker.SIGNED), "portal"));

    List<String> said =
        ForeignProgram.python(
            files,
            JmsProtectionIT.class,
            "proton_request.py",
            Integer.toString(broker.port()),
            ArtemisBroker.PORTAL,
            ArtemisBroker.password(ArtemisBroker.PORTAL),
            ArtemisBroker.SIGNED,
            PORTALS,
            request.toString(),
            answer.toString());

    assertThat(said).containsExactly("answered");
    assertSigned(cms.verify(Files.readAllBytes(answer), "ca"), id);
  }

  private void assertRefused(String reason) throws Exception {
    Message dead =
        Objects.requireNonNull(
            service.nextOf(ArtemisBroker.DEAD_LETTERS, SOON), "nothing is in the dead letters");
    assertThat(dead.getStringProperty("KeywellReason"))
        .as(dead.getStringProperty("KeywellDetail"))
        .isEqualTo(reason);
    assertThat(portal.nextOf(PORTALS, 100)).as("an answer").isNull();
  }

  private long rows() throws Exception {
    return site.sql().count("SELECT count(*) FROM sign_request");
  }

  private void assertRefused(String queue, byte[] message, String reason) throws Exception {
    long before = rows();
    carrier.send(queue, message);
    assertRefused(reason);
    assertThat(rows()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({
    "foreign/portal, certificate-refused",
    "expired, certificate-refused",
    "revoked, certificate-refused",
    "web, certificate-refused",
    "unlisted, caller-unknown",
    "other, reply-not-allowed"
  })
  void aSignatureOfAnotherIsRefused(String signer, String reason) throws Exception {
    assertRefused(
        ArtemisBroker.SIGNED, cms.sign(entity(id(), ArtemisBroker.SIGNED), signer), reason);
  }

  @Test
  void aCallerThatAQueueIsNotForIsRefused() throws Exception {
    byte[] entity =
        entity(
            id(),
            Instant.now(),
            ArtemisBroker.PRIVATE,
            ArtemisBroker.REPLIES + "other",
            UUID.randomUUID());
    assertRefused(
        ArtemisBroker.PRIVATE,
        cms.encrypt(cms.sign(entity, "other"), ProtectedQueues.SERVICE),
        "caller-not-allowed");
  }

  @Test
  void aStrippedSignatureIsRefused() throws Exception {
    byte[] entity = entity(id(), ArtemisBroker.SIGNED);
    assertRefused(ArtemisBroker.SIGNED, entity, "not-protected");
    assertRefused(
        ArtemisBroker.PRIVATE,
        cms.encrypt(entity(id(), ArtemisBroker.PRIVATE), ProtectedQueues.SERVICE),
        "wrong-quality");
    assertRefused(
        ArtemisBroker.PRIVATE,
        cms.sign(entity(id(), ArtemisBroker.PRIVATE), "portal"),
        "wrong-quality");
  }

  @Test
  void whatWasTamperedWithIsRefused() throws Exception {
    byte[] signed = cms.sign(entity(id(), ArtemisBroker.SIGNED), "portal");
    assertRefused(ArtemisBroker.SIGNED, Arrays.copyOf(signed, signed.length / 2), "malformed");
    byte[] changed =
        new String(signed, ISO_8859_1).replace("SHA-256", "SHA-512").getBytes(ISO_8859_1);
    assertRefused(ArtemisBroker.SIGNED, changed, "signature-invalid");
  }

  @Test
  void whatIsForAnotherIsRefused() throws Exception {
    assertRefused(
        ArtemisBroker.SIGNED,
        cms.sign(entity(id(), ArtemisBroker.PRIVATE), "portal"),
        "wrong-queue");
    byte[] signed = cms.sign(entity(id(), ArtemisBroker.PRIVATE), "portal");
    assertRefused(
        ArtemisBroker.PRIVATE, cms.encrypt(signed, ProtectedQueues.BOX), "wrong-recipient");
    byte[] forwarded = cms.sign(entity(id(), ArtemisBroker.SIGNED), "portal");
    assertRefused(
        ArtemisBroker.PRIVATE, cms.encrypt(forwarded, ProtectedQueues.SERVICE), "wrong-queue");
  }

  @Test
  void tenMegabytesAreRefused() throws Exception {
    byte[] large =
        CmsMessages.entity(
            id(), Instant.now(), ArtemisBroker.SIGNED, PORTALS, " ".repeat(10 << 20));
    assertRefused(ArtemisBroker.SIGNED, cms.sign(large, "portal"), "body-too-large");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-PT61M", "PT6M"})
  void whatIsNotOfNowIsRefused(Duration shift) throws Exception {
    byte[] entity =
        entity(id(), Instant.now().plus(shift), ArtemisBroker.SIGNED, PORTALS, UUID.randomUUID());
    assertRefused(
        ArtemisBroker.SIGNED,
        cms.sign(entity, "portal"),
        shift.isNegative() ? "too-old" : "too-far-ahead");
  }

  @Test
  void aCopyIsRefusedAfterARestartToo() throws Exception {
    String id = id();
    byte[] message = cms.sign(entity(id, ArtemisBroker.SIGNED), "portal");
    carrier.send(ArtemisBroker.SIGNED, message);
    assertSigned(cms.verify(answer(), "ca"), id);

    assertRefused(ArtemisBroker.SIGNED, message, "replayed");
    keywell.close();
    keywell = RunningKeywell.start(settings);
    assertRefused(ArtemisBroker.SIGNED, message, "replayed");
  }

  /** Its answer finds no queue, so the broker delivers it again: that is no copy. */
  @Test
  void aRepeatedDeliveryIsNoCopy() throws Exception {
    UUID request = UUID.randomUUID();
    byte[] entity =
        entity(id(), Instant.now(), ArtemisBroker.SIGNED, UUID.randomUUID().toString(), request);
    carrier.send(ArtemisBroker.SIGNED, cms.sign(entity, "portal"));
    assertRefused("reply-failed");

    String id = id();
    byte[] again = entity(id, Instant.now(), ArtemisBroker.SIGNED, PORTALS, request);
    carrier.send(ArtemisBroker.SIGNED, cms.sign(again, "portal"));
    assertSigned(cms.verify(answer(), "ca"), id);
    assertThat(
            site.sql()
                .count(
                    "SELECT count(*) FROM sign_request WHERE request_id = '%s'".formatted(request)))
        .isOne();
  }
}
