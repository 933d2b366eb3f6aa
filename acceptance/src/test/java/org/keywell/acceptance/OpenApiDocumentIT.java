package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The OpenAPI document is one to generate a client from, and what it shows works when tried. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OpenApiDocumentIT {

  /** The kind of key that examples get, since they ask for none. */
  private static final KeySpec SPEC = KeySpec.RSA_2048;

  private static final JsonMapper JSON = JsonMapper.shared();

  private final HttpClient client = HttpClient.newHttpClient();
  private Site site;
  private RunningKeywell keywell;
  private JsonNode document;

  /**
   * One operation.
   *
   * @param fields what the document says of it
   */
  private record Operation(String method, String path, JsonNode fields) {

    String id() {
      return fields.path("operationId").asString();
    }

    /** Others define its bodies, and no link leads to it. */
    boolean isOurs() {
      return !fields.path("tags").toString().contains("other-formats");
    }

    List<JsonNode> examples() {
      return fields.at("/requestBody/content/application~1json/examples").valueStream().toList();
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    site = Site.create(home);
    site.stock(SPEC, 20);
    keywell =
        RunningKeywell.start(
            site.settings(
                Settings.pool(SPEC, 20),
                Map.of(
                    "keywell.ca.crl.uri",
                    "http://crl.example.org/",
                    "keywell.ca.profile.crls-by-day",
                    "true")));
    keywell.awaitLoaded(SPEC, 20);
    document = keywell.http().get("/v3/api-docs").body();
  }

  @AfterAll
  void stop() {
    client.close();
    keywell.close();
    site.close();
  }

  @TestFactory
  Stream<DynamicTest> eachOperationWorksWhenTried() {
    return operations()
        .filter(Operation::isOurs)
        .flatMap(operation ->
            operation.examples().isEmpty()
                ? Stream.of(
                    DynamicTest.dynamicTest(operation.toString(), () -> tried(operation, null)))
                : operation.examples().stream()
                    .map(example ->
                        DynamicTest.dynamicTest(
                            operation + ": " + example.path("summary").asString(),
                            () -> tried(operation, example.path("value")))));
  }

  /** openapi-generator refuses a document without the license's identifier. */
  @Test
  void itHasWhatGeneratorsAskFor() {
    assertThat(document.at("/info/license/identifier").asString()).isEqualTo("Apache-2.0");
    assertThat(operations().map(Operation::id)).doesNotHaveDuplicates();
    assertThat(operations())
        .allSatisfy(operation ->
            assertThat(operation.fields().path("security").toString())
                .isEqualTo("[{\"localToken\":[]},{}]"));
    assertThat(
            operations()
                .filter(Operation::isOurs)
                .filter(operation -> operation.fields().has("requestBody")))
        .allSatisfy(operation -> assertThat(operation.examples()).isNotEmpty());
    assertThat(document.at("/paths/~1ca~1chain/get/responses/200/content").toString())
        .as("octets: else a client takes it for JSON")
        .isEqualTo(
            "{\"application/pem-certificate-chain\":"
                + "{\"schema\":{\"type\":\"string\",\"format\":\"binary\"}}}");
  }

  /** oapi-codegen, of Go, refuses a document with a type such as {@code [string, null]}. */
  @Test
  void eachPropertyHasOneType() {
    assertThat(document.findValues("type").stream().filter(JsonNode::isArray)).isEmpty();
  }

  /** The ways in of RFC 3161, RFC 6960 and C2SP, by their media types. */
  @ParameterizedTest
  @CsvSource({
    "post, /tsa, application/timestamp-query, application/timestamp-reply",
    "post, /ca/ocsp/{issuer}, application/ocsp-request, application/ocsp-response",
    "get, /ca/ocsp/{issuer}, , application/ocsp-response",
    "get, /log/checkpoint, , text/plain;charset=UTF-8",
    "get, /log/tile/{path}, , application/octet-stream",
    "post, /witness/add-checkpoint, text/plain, text/plain;charset=UTF-8"
  })
  void formatsOfOthersAreNamed(String method, String path, @Nullable String body, String answer) {
    JsonNode operation = document.path("paths").path(path).path(method);
    assertThat(List.copyOf(operation.path("requestBody").path("content").propertyNames()))
        .isEqualTo(body == null ? List.of() : List.of(body));
    assertThat(operation.at("/responses/200/content").propertyNames()).containsExactly(answer);
    assertThat(operation.path("responses").propertyNames()).contains("403", "404", "500");
    assertThat(operation.path("description").asString()).startsWith("For callers with the role ");
  }

  /** Swagger UI shows a schema as "never" if it excludes one without a type. */
  @Test
  void whatIsExcludedHasAType() {
    assertThat(document.findValues("not"))
        .isNotEmpty()
        .allSatisfy(excluded -> assertThat(excluded.path("type").asString()).isEqualTo("object"));
    assertThat(document.findValues("type").toString()).doesNotContain("mutualTLS");
  }

  @Test
  void digestAndDigestsExcludeEachOther() {
    assertThat(document.at("/components/schemas/SignRequest/not/required").toString())
        .isEqualTo("[\"digest\",\"digests\"]");
  }

  @ParameterizedTest
  @CsvSource({
    "serialNumber, PNOSE-197001011234, true",
    "serialNumber, EI:SE-200007292386, true",
    "serialNumber, PNOXX-1, false",
    "serialNumber, PNOse-1, false",
    "serialNumber, PNOSE-19 70, false",
    "country, SE, true",
    "country, XX, false"
  })
  void onlyCountriesThatThereAreFit(String property, String value, boolean fits) {
    String pattern =
        document.at("/components/schemas/Signer/properties/" + property + "/pattern").asString();
    assertThat(Pattern.matches(pattern, value)).isEqualTo(fits);
  }

  @Test
  void whatIsAlwaysInAnAnswerIsRequired() {
    assertThat(required("SignResponse"))
        .contains("requestId", "signature", "signatures", "certificateChain", "timestamps")
        .doesNotContain("containers", "logIndex");
    assertThat(required("Timestamps")).as("each is there once it is known").isEmpty();
    assertThat(required("Act")).contains("actId", "status", "instance", "certificateChain");
    assertThat(required("ActDigests")).containsExactly("digests");
    assertThat(required("InProgress")).containsExactly("requestId", "status");
    assertThat(required("PoolStatus")).containsExactly("mode", "orphanedKeys", "pools", "queue");
    assertThat(required("Problem")).containsExactly("detail", "status", "title", "type");
    assertThat(document.at("/components/schemas/Problem/properties/status/type").asString())
        .isEqualTo("integer");
    assertThat(document.at("/components/schemas/Problem/properties/type").has("enum"))
        .as("a client that knows today's problems reads tomorrow's")
        .isFalse();
  }

  /** As openapi-generator's clients in Python ask, for which all of JSON comes first. */
  @Test
  void theChainComesToWhoNamesProblemsAlone() throws Exception {
    HttpResponse<String> answer =
        client.send(
            keywell
                .http()
                .request("/ca/chain")
                .header("Accept", "application/problem+json")
                .timeout(Duration.ofSeconds(30))
                .build(),
            BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type"))
        .hasValue("application/pem-certificate-chain");
    assertThat(answer.body()).startsWith("-----BEGIN CERTIFICATE-----");
  }

  private List<String> required(String schema) {
    JsonNode found = document.path("components").path("schemas").path(schema);
    assertThat(found.isObject()).as(schema).isTrue();
    return found.path("required").valueStream().map(JsonNode::asString).toList();
  }

  private Stream<Operation> operations() {
    List<Operation> all = new ArrayList<>();
    document
        .path("paths")
        .forEachEntry((path, item) ->
            item.forEachEntry((method, fields) ->
                all.add(new Operation(method.toUpperCase(Locale.ROOT), path, fields))));
    return all.stream();
  }

  /** Sends it; the answer is a good one that the document names, as it names it. */
  private JsonNode tried(Operation operation, @Nullable JsonNode body)
      throws IOException, InterruptedException {
    BodyPublisher content =
        body == null
            ? BodyPublishers.noBody()
            : BodyPublishers.ofString(operation.id().equals("revoke") ? order() : body.toString());
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(keywell.http().base().resolve(address(operation)))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json")
                .method(operation.method(), content)
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    JsonNode documented =
        operation.fields().path("responses").path(Integer.toString(answer.statusCode()));
    assertThat(documented.isObject()).as("%s is documented", answer.statusCode()).isTrue();
    String type = answer.headers().firstValue("Content-Type").orElse("");
    assertThat(List.copyOf(documented.path("content").propertyNames()))
        .isEqualTo(type.isEmpty() ? List.of() : List.of(type));
    return type.equals("application/json") ? JSON.readTree(answer.body()) : JSON.nullNode();
  }

  /** What can be revoked has to be signed before. */
  private String order() throws IOException, InterruptedException {
    Operation sign =
        operations().filter(each -> each.path().equals("/sign")).findFirst().orElseThrow();
    return "{\"requestId\": \"%s\", \"reason\": \"superseded\"}"
        .formatted(
            tried(sign, sign.examples().getFirst().path("value")).path("requestId").asString());
  }

  /** Where it has an id, another operation's answer gave it, along one of the document's links. */
  private String address(Operation operation) throws IOException, InterruptedException {
    if (!operation.path().contains("{")) {
      return operation.path();
    }
    for (Operation before : operations().toList()) {
      for (JsonNode answer : before.fields().path("responses")) {
        JsonNode link = answer.path("links").path(operation.id());
        if (link.path("operationId").asString("").equals(operation.id())) {
          JsonNode given = tried(before, before.examples().getFirst().path("value"));
          return filled(operation.path(), link.path("parameters"), given);
        }
      }
    }
    throw new AssertionError("no link leads to " + operation);
  }

  private static String filled(String path, JsonNode parameters, JsonNode given) {
    String address = path;
    for (Map.Entry<String, JsonNode> parameter : parameters.properties()) {
      String pointer = parameter.getValue().asString().replace("$response.body#", "");
      address =
          address.replace(
              "{" + parameter.getKey() + "}", Objects.requireNonNull(given.at(pointer).asString()));
    }
    return address;
  }
}
