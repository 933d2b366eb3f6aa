package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Sql;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What requests leave in the log: their id, on one line at the most, and nobody's name. */
final class LogsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String DOCUMENT = "a document that nobody else signs";
  private static final List<String> PERSONAL =
      List.of("Zebulon Quastenflosser", "Quastenflosser", "PNOSE-190001019876", "Zebra Works");

  @TempDir Path home;

  private static SignBody body(UUID id) {
    return SignBody.of(DOCUMENT)
        .keySpec(SPEC)
        .requestId(id)
        .signer("commonName", PERSONAL.get(0))
        .signer("surname", PERSONAL.get(1))
        .signer("serialNumber", PERSONAL.get(2))
        .signer("organization", PERSONAL.get(3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ecs"})
  void requestsAreToldByTheirIdAlone(String format) throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 3);
      Sql sql = site.sql();
      String swapped = sql.text("SELECT max(id) FROM pool_key");
      assertThat(
              sql.update(
                  "UPDATE pool_key SET public_key = set_byte(public_key, 60, get_byte(public_key, 60) # 1) WHERE id = "
                      + swapped))
          .isEqualTo(1);
      Map<String, String> logging =
          format.isEmpty()
              ? Map.of("logging.level.org.keywell", "DEBUG")
              : Map.of(
                  "logging.level.org.keywell",
                  "DEBUG",
                  "logging.structured.format.console",
                  format);
      UUID signed = UUID.randomUUID();
      UUID alsoSigned = UUID.randomUUID();
      UUID refused = UUID.randomUUID();
      UUID poolEmpty = UUID.randomUUID();
      UUID invalid = UUID.randomUUID();
      String log;
      try (KeywellProcess keywell =
          KeywellProcess.start(
              site.settings(Settings.pool(SPEC, 3), logging), home.resolve("log"), "serve")) {
        HttpApi http = keywell.awaitReady();
        assertThat(http.sign(body(signed)).status()).isEqualTo(200);
        assertThat(http.sign(body(alsoSigned)).status()).isEqualTo(200);
        assertThat(http.sign(body(refused)).problem()).isEqualTo("key-refused");
        assertThat(http.sign(body(poolEmpty)).problem()).isEqualTo("pool-empty");
        assertThat(http.sign(body(poolEmpty)).problem()).as("repeated").isEqualTo("pool-empty");
        assertThat(http.sign(body(invalid).with("digestAlgorithm", "SHA-512")).problem())
            .isEqualTo("bad-digest");
        assertThat(http.sign(body(invalid).json().replace("}", "")).problem())
            .isEqualTo("malformed-json");
        keywell.terminate();
        assertThat(keywell.awaitExit()).isIn(0, 143);
        log = keywell.log();
      }

      byte[] digest =
          MessageDigest.getInstance(DigestAlgorithm.SHA_256.label())
              .digest(DOCUMENT.getBytes(StandardCharsets.UTF_8));
      assertThat(log).doesNotContain(PERSONAL);
      assertThat(log).doesNotContain("No active profile");
      assertThat(log)
          .doesNotContain(Base64.getEncoder().encodeToString(digest))
          .doesNotContainIgnoringCase(HexFormat.of().formatHex(digest))
          .doesNotContain(DOCUMENT);
      Stream.of(signed, alsoSigned, refused, poolEmpty)
          .forEach(id ->
              assertThat(log.lines().filter(line -> line.contains(id.toString())))
                  .as("lines of %s in\n%s", id, log)
                  .hasSize(1));
      assertThat(log).as("an invalid request leaves none").doesNotContain(invalid.toString());
      if (format.equals("ecs")) {
        assertStructured(log, signed);
      }
    }
  }

  private static void assertStructured(String log, UUID signed) {
    JsonMapper json = JsonMapper.shared();
    List<JsonNode> lines =
        log.lines().filter(line -> !line.startsWith("WARNING:")).map(json::readTree).toList();
    assertThat(lines).allMatch(line -> !line.path("@timestamp").asString("").isEmpty());
    assertThat(lines)
        .filteredOn(line ->
            line.path("http").path("request").path("id").asString("").equals(signed.toString()))
        .singleElement()
        .satisfies(line -> {
          assertThat(line.path("log").path("level").asString()).isEqualTo("DEBUG");
          assertThat(line.path("message").asString()).contains("signed after");
          assertThat(line.path("service").path("name").asString()).isEqualTo("keywell");
        });
  }
}
