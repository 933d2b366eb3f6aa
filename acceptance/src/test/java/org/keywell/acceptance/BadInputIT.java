package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.signing.request.Container;
import tools.jackson.databind.JsonNode;

/** What is refused is refused by its own type of problem, and leaves no trace but a counter. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BadInputIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 2;
  private static final SignBody GOOD = SignBody.of("document").keySpec(SPEC);
  private static final List<String> SIGNER =
      List.of(
          "commonName",
          "givenName",
          "surname",
          "serialNumber",
          "organization",
          "organizationalUnit",
          "country");

  private Site site;
  private RunningKeywell keywell;

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    site = Site.create(home);
    site.stock(SPEC, STOCK);
    keywell =
        RunningKeywell.start(
            site.settings(Settings.pool(SPEC, 1), Map.of("keywell.sign.max-body", "2KB")));
    keywell.awaitLoaded(SPEC, 1);
  }

  @AfterAll
  void stop() {
    keywell.close();
    site.close();
  }

  /** A request, sent when the case runs. */
  private interface Request {
    HttpApi.Answer send(HttpApi http) throws Exception;
  }

  private record Case(String name, String problem, int status, Request request) {}

  @TestFactory
  List<DynamicTest> refusals() {
    List<Case> cases = new ArrayList<>();
    cases.addAll(json());
    cases.addAll(fields());
    cases.addAll(signer());
    cases.addAll(http());
    return cases.stream()
        .map(one ->
            DynamicTest.dynamicTest(
                one.problem() + ": " + one.name(), () -> assertRefusedWithoutTrace(one)))
        .toList();
  }

  /** The control: the body that all cases spoil is good. */
  @Test
  void theGoodBodyIsGood() throws Exception {
    HttpApi.Answer answer = keywell.http().sign(GOOD);
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    keywell.awaitLoaded(SPEC, 1);
  }

  @Test
  void theOpenApiDocumentSaysWhoMayUseAnOperation() throws Exception {
    JsonNode document = keywell.http().get("/v3/api-docs").body();

    document
        .path("paths")
        .forEach(path ->
            path.forEach(operation ->
                assertThat(operation.path("description").asString())
                    .startsWith("For callers with the role ")));
    assertThat(document.at("/paths/~1sign/post/description").asString())
        .isEqualTo("For callers with the role sign.");
    assertThat(document.at("/paths/~1sign~1{requestId}/get/description").asString())
        .isEqualTo("For callers with the role sign or read.");
    assertThat(document.at("/components/securitySchemes/localToken/scheme").asString())
        .isEqualTo("bearer");
  }

  /** A client that is generated from the document need not find out by being refused. */
  @Test
  void theOpenApiDocumentStatesWhatIsEnforced() throws Exception {
    JsonNode document = keywell.http().get("/v3/api-docs").body();
    JsonNode schemas = document.path("components").path("schemas");

    JsonNode request = schemas.path("SignRequest");
    assertThat(request.path("additionalProperties").asBoolean(true)).isFalse();
    assertThat(request.path("required").toString())
        .as("digest or digests")
        .isEqualTo("[\"digestAlgorithm\"]");
    JsonNode fields = request.path("properties");
    assertThat(fields.path("deadlineMillis").path("minimum").asInt()).isEqualTo(1);
    assertThat(fields.path("deadlineMillis").path("maximum").asInt()).isEqualTo(60_000);
    assertThat(fields.path("deadlineMillis").path("default").asInt()).isEqualTo(3_000);
    for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
      String digest = Base64.getEncoder().encodeToString(new byte[algorithm.lengthBytes()]);
      assertThat(digest).matches(fields.path("digest").path("pattern").asString());
    }
    assertThat(List.of("A".repeat(43), "A".repeat(42) + "B=", "A".repeat(42) + "=="))
        .noneMatch(digest -> digest.matches(fields.path("digest").path("pattern").asString()));
    JsonNode digests = fields.path("digests");
    assertThat(digests.path("minItems").asInt()).isEqualTo(1);
    assertThat(digests.path("maxItems").asInt()).isEqualTo(10);
    assertThat(digests.path("items").path("pattern"))
        .isEqualTo(fields.path("digest").path("pattern"));
    assertThat(labels(fields.path("container").path("enum")))
        .containsExactlyElementsOf(Stream.of(Container.values()).map(Container::label).toList());
    assertThat(UUID.randomUUID().toString())
        .matches(fields.path("requestId").path("pattern").asString());
    assertThat(labels(fields.path("keySpec").path("enum")))
        .containsExactlyElementsOf(Stream.of(KeySpec.values()).map(KeySpec::label).toList());
    assertThat(labels(fields.path("signatureAlgorithm").path("enum")))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(SignatureScheme.values()).map(SignatureScheme::label).toList());

    JsonNode answers = document.path("paths").path("/sign").path("post").path("responses");
    assertThat(answers.propertyNames())
        .as("no status is left to a default")
        .contains("200", "400", "401", "403", "404", "409", "413", "415", "421", "429", "503")
        .doesNotContain("default");

    JsonNode signer = schemas.path("Signer");
    assertThat(signer.path("additionalProperties").asBoolean(true)).isFalse();
    assertThat(signer.has("required")).as("a proof may name all of it").isFalse();
    assertThat(signer.path("properties").propertyNames())
        .containsExactlyInAnyOrderElementsOf(SIGNER);
    for (String attribute : SIGNER) {
      JsonNode schema = signer.path("properties").path(attribute);
      assertThat(schema.has("pattern") || schema.path("maxLength").asInt() == 64)
          .as(attribute)
          .isTrue();
    }
    assertThat("PNOSE-197001011234")
        .matches(signer.path("properties").path("serialNumber").path("pattern").asString());

    JsonNode sign = document.path("paths").path("/sign").path("post");
    assertThat(sign.path("requestBody").path("description").asString()).contains("2048 bytes");
    JsonNode testId = sign.path("parameters").path(0);
    assertThat(testId.path("name").asString()).isEqualTo("Keywell-Test-Id");
    assertThat("x".repeat(65)).doesNotMatch(testId.path("schema").path("pattern").asString());
    assertThat(
            document.at("/paths/~1sign~1{requestId}/get/parameters/0/schema/pattern").asString(""))
        .isNotEmpty();
  }

  private static List<String> labels(JsonNode array) {
    return array.valueStream().map(JsonNode::asString).toList();
  }

  private void assertRefusedWithoutTrace(Case one) throws Exception {
    long records = records();
    long keys = keys();
    double counted = counted(one.problem());

    HttpApi.Answer answer = one.request().send(keywell.http());

    assertThat(answer.problem()).as(answer.body().toString()).isEqualTo(one.problem());
    assertThat(answer.status()).isEqualTo(one.status());
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.body().path("status").asInt()).isEqualTo(one.status());
    assertThat(answer.body().path("title").asString("")).isNotBlank();
    assertThat(answer.body().path("detail").asString(""))
        .isNotBlank()
        .hasSizeLessThan(300)
        .doesNotContain("org.keywell", "tools.jackson", "java.lang", "Exception", "\n", "Astrid");
    assertThat(records()).as("records").isEqualTo(records);
    assertThat(keys()).as("keys in both tiers").isEqualTo(keys);
    assertThat(counted(one.problem()))
        .as("the counter of %s", one.problem())
        .isEqualTo(counted + 1);
  }

  private static List<Case> json() {
    return List.of(
        body("not JSON", "malformed-json", "digest=abc"),
        body("an unfinished object", "malformed-json", "{\"digestAlgorithm\": \"SHA-256\""),
        body("an array", "malformed-json", "[" + GOOD.json() + "]"),
        body("a string", "malformed-json", "\"SHA-256\""),
        body("null", "malformed-json", "null"),
        body("an object and more", "malformed-json", GOOD.json() + "x"),
        body("two objects", "malformed-json", GOOD.json() + GOOD.json()),
        body(
            "a field twice",
            "malformed-json",
            "{\"keySpec\": \"EC-P256\"," + GOOD.json().substring(1)),
        body(
            "a signer's field twice",
            "malformed-json",
            GOOD.json().replace("\"country\"", "\"commonName\":\"Other\",\"country\"")),
        body("an empty body", "malformed-json", ""),
        body("a comment", "malformed-json", "/* */" + GOOD.json()),
        body(
            "octets that are not UTF-8",
            "malformed-json",
            GOOD.json().replace("Astrid", "\u00c5strid"),
            StandardCharsets.ISO_8859_1),
        body(
            "an overlong letter",
            "malformed-json",
            GOOD.json().replace("Astrid", "\u00c1\u0081strid"),
            StandardCharsets.ISO_8859_1),
        body("10,000 brackets in 2 KB", "malformed-json", "[".repeat(2_000)),
        body("no fields", "missing-field", "{}"),
        bad("an unknown field", "unknown-field", GOOD.with("document", "text")),
        bad("an unknown field of the signer", "unknown-field", GOOD.signer("email", "a@b.se")),
        bad("a field in other case", "unknown-field", GOOD.with("KEYSPEC", "EC-P256")),
        bad("a number as digest", "malformed-json", GOOD.with("digest", 5)),
        bad("a number as key spec", "malformed-json", GOOD.with("keySpec", 256)),
        bad("a boolean as digest algorithm", "malformed-json", GOOD.with("digestAlgorithm", true)),
        bad("a number as request id", "malformed-json", GOOD.with("requestId", 1)),
        bad("a number as name", "malformed-json", GOOD.signer("commonName", 7)),
        bad("an array as name", "malformed-json", GOOD.signer("commonName", List.of("A"))),
        bad("a string as signer", "malformed-json", GOOD.with("signer", "Astrid Exempel")),
        bad("an array as signer", "malformed-json", GOOD.with("signer", List.of())),
        bad("an empty string as signer", "malformed-json", GOOD.with("signer", "")),
        bad("a fraction as deadline", "malformed-json", GOOD.with("deadlineMillis", 1500.5)),
        bad("1.0 as deadline", "malformed-json", GOOD.with("deadlineMillis", 1.0)),
        bad("a string as deadline", "malformed-json", GOOD.with("deadlineMillis", "3000")),
        bad("an empty string as deadline", "malformed-json", GOOD.with("deadlineMillis", "")),
        bad("a boolean as deadline", "malformed-json", GOOD.with("deadlineMillis", true)),
        body(
            "a deadline beyond 64 bits",
            "malformed-json",
            GOOD.json().replaceFirst("\\{", "{\"deadlineMillis\": 99999999999999999999,")));
  }

  private static List<Case> fields() {
    byte[] tooLong = new byte[33];
    return List.of(
        bad("no digest", "missing-field", GOOD.without("digest")),
        bad("no digest algorithm", "missing-field", GOOD.without("digestAlgorithm")),
        bad("no signer", "missing-field", GOOD.without("signer")),
        bad("a short digest", "bad-digest", GOOD.with("digest", "AAAA")),
        bad("an empty digest", "bad-digest", GOOD.with("digest", "")),
        bad(
            "a long digest",
            "bad-digest",
            GOOD.with("digest", Base64.getEncoder().encodeToString(tooLong))),
        bad("a digest that is not base64", "bad-digest", GOOD.with("digest", "*".repeat(44))),
        bad("a digest without its padding", "bad-digest", GOOD.with("digest", "A".repeat(43))),
        bad(
            "a digest with bits to spare",
            "bad-digest",
            GOOD.with("digest", "A".repeat(42) + "B=")),
        bad("a digest and a line end", "bad-digest", GOOD.with("digest", "A".repeat(43) + "=\n")),
        bad("a digest in base64url", "bad-digest", GOOD.with("digest", "_".repeat(42) + "8=")),
        bad(
            "another algorithm's digest",
            "bad-digest",
            GOOD.digest(DigestAlgorithm.SHA_256, "x").with("digestAlgorithm", "SHA-384")),
        bad("MD5", "unknown-digest-algorithm", GOOD.with("digestAlgorithm", "MD5")),
        bad("sha-256", "unknown-digest-algorithm", GOOD.with("digestAlgorithm", "sha-256")),
        bad("no name", "unknown-digest-algorithm", GOOD.with("digestAlgorithm", "")),
        bad("DSA", "unknown-signature-algorithm", GOOD.with("signatureAlgorithm", "DSA")),
        bad("no name", "unknown-signature-algorithm", GOOD.with("signatureAlgorithm", "")),
        bad("EC with PSS", "algorithm-mismatch", GOOD.scheme(SignatureScheme.RSASSA_PSS)),
        bad("EC with PKCS1", "algorithm-mismatch", GOOD.scheme(SignatureScheme.RSASSA_PKCS1_V1_5)),
        bad(
            "RSA with ECDSA",
            "algorithm-mismatch",
            GOOD.keySpec(KeySpec.RSA_2048).scheme(SignatureScheme.ECDSA)),
        bad("RSA-1024", "unknown-key-spec", GOOD.with("keySpec", "RSA-1024")),
        bad("a key spec without a pool", "unknown-key-spec", GOOD.keySpec(KeySpec.EC_P384)),
        bad("1", "bad-request-id", GOOD.with("requestId", "1")),
        bad("no UUID", "bad-request-id", GOOD.with("requestId", "")),
        bad("a short UUID", "bad-request-id", GOOD.with("requestId", "1-1-1-1-1")),
        bad("braces", "bad-request-id", GOOD.with("requestId", "{" + UUID.randomUUID() + "}")),
        bad("0", "bad-deadline", GOOD.deadlineMillis(0)),
        bad("negative", "bad-deadline", GOOD.deadlineMillis(-1)),
        bad("a millisecond too many", "bad-deadline", GOOD.deadlineMillis(60_001)),
        bad("the most that a long holds", "bad-deadline", GOOD.deadlineMillis(Long.MAX_VALUE)));
  }

  private static List<Case> signer() {
    List<Case> cases = new ArrayList<>();
    cases.add(bad("no name", "missing-field", GOOD.with("signer", Map.of("country", "SE"))));
    for (String attribute : SIGNER) {
      cases.add(badSigner("blank " + attribute, attribute, "  "));
      cases.add(badSigner("empty " + attribute, attribute, ""));
      cases.add(badSigner("over-long " + attribute, attribute, "PNOSE-" + "x".repeat(100)));
      cases.add(badSigner("a NUL in " + attribute, attribute, "PNOSE-1\u0000"));
      cases.add(badSigner("a line end in " + attribute, attribute, "PNOSE-1\nx"));
      cases.add(badSigner("a DEL in " + attribute, attribute, "PNOSE-1\u007f"));
      cases.add(badSigner("a reversal in " + attribute, attribute, "PNOSE-1\u202e2"));
      cases.add(
          body(
              "a lone surrogate in " + attribute,
              "bad-signer",
              GOOD.signer(attribute, "SURROGATE").json().replace("SURROGATE", "A\\ud800B")));
    }
    cases.add(badSigner("65 letters", "commonName", "x".repeat(65)));
    for (String country : List.of("se", "SWE", "XX", "S")) {
      cases.add(badSigner("country " + country, "country", country));
    }
    for (String number : List.of("197001011234", "PNO-1", "PNOSE-", "pnose-1", "PNOSE_1")) {
      cases.add(badSigner("serial number " + number, "serialNumber", number));
    }
    return cases;
  }

  private static List<Case> http() {
    String large = GOOD.with("requestId", "x".repeat(2048)).json();
    byte[] octets = large.getBytes(StandardCharsets.UTF_8);
    return List.of(
        new Case("declared", "body-too-large", 413, http -> http.sign(large)),
        new Case(
            "in chunks",
            "body-too-large",
            413,
            http ->
                http.post(
                    "/sign",
                    "application/json",
                    BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(octets)))),
        mediaType("text/plain"),
        mediaType("application/x-www-form-urlencoded"),
        mediaType("multipart/form-data; boundary=x"),
        mediaType("application/xml"),
        mediaType("application/json;charset=utf-16"),
        mediaType("application/json;charset=\"ISO-8859-1\""),
        new Case(
            "without a content type",
            "unsupported-media-type",
            415,
            http -> http.send(http.request("/sign").POST(BodyPublishers.ofString(GOOD.json())))),
        new Case(
            "an answer in XML",
            "not-acceptable",
            406,
            http ->
                http.send(
                    http.request("/sign")
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/xml")
                        .POST(BodyPublishers.ofString(GOOD.json())))),
        testId("65 characters", "x".repeat(65)),
        testId("a blank", "a b"),
        testId("empty", ""),
        get("not a UUID", "bad-request-id", 400, "/sign/not-a-uuid"),
        get("a short UUID", "bad-request-id", 400, "/sign/1-1-1-1-1"),
        get("a request that never was", "request-unknown", 404, "/sign/" + UUID.randomUUID()),
        get("/nowhere", "not-found", 404, "/nowhere"),
        get("/sign/", "not-found", 404, "/sign/"),
        get("GET /sign", "method-not-allowed", 405, "/sign"),
        method("DELETE"),
        method("PUT"),
        method("PATCH"));
  }

  private static Case bad(String name, String problem, SignBody body) {
    return body(name, problem, body.json());
  }

  private static Case badSigner(String name, String attribute, String value) {
    return bad(name, "bad-signer", GOOD.signer(attribute, value));
  }

  private static Case body(String name, String problem, String json) {
    return body(name, problem, json, StandardCharsets.UTF_8);
  }

  private static Case body(String name, String problem, String json, Charset charset) {
    return new Case(
        name,
        problem,
        400,
        http -> http.post("/sign", "application/json", BodyPublishers.ofString(json, charset)));
  }

  private static Case mediaType(String type) {
    return new Case(
        type,
        "unsupported-media-type",
        415,
        http -> http.post("/sign", type, BodyPublishers.ofString(GOOD.json())));
  }

  private static Case testId(String name, String value) {
    return new Case(
        name,
        "bad-test-id",
        400,
        http ->
            http.send(
                http.request("/sign")
                    .header("Content-Type", "application/json")
                    .header("Keywell-Test-Id", value)
                    .POST(BodyPublishers.ofString(GOOD.json()))));
  }

  private static Case get(String name, String problem, int status, String path) {
    return new Case(name, problem, status, http -> http.get(path));
  }

  private static Case method(String method) {
    return new Case(
        method + " /sign",
        "method-not-allowed",
        405,
        http -> {
          HttpRequest.Builder request = http.request("/sign");
          return http.send(
              request
                  .header("Content-Type", "application/json")
                  .method(method, BodyPublishers.ofString(GOOD.json())));
        });
  }

  private long records() throws Exception {
    return site.sql().count("SELECT count(*) FROM sign_request");
  }

  private long keys() throws Exception {
    return site.sql().count("SELECT count(*) FROM pool_key") + keywell.loaded(SPEC);
  }

  /** Zero, too, before the first problem of its type. */
  private double counted(String problem) throws Exception {
    HttpApi.Answer metric =
        keywell.management().get("/actuator/metrics/keywell.problems?tag=type:" + problem);
    return metric.status() == 200
        ? metric.body().path("measurements").path(0).path("value").asDouble()
        : 0;
  }
}
