package org.keywell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.cli.log.TestLog;
import org.keywell.tlog.TileId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LogShowTest {
  private static final String ID = "6f2f7c1e-9f0f-4c7c-8f5b-0f3f5c9d7a11";
  private static final String OTHER = "00000000-9f0f-4c7c-8f5b-0f3f5c9d7a11";

  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private TestLog log;

  private static List<byte[]> entries(String... json) {
    return Stream.of(json).map(one -> one.getBytes(StandardCharsets.UTF_8)).toList();
  }

  @BeforeEach
  void write() throws Exception {
    log = TestLog.in(dir, "Ed25519").growTo(300);
    log.append(
            entries(
                "{\"at\":\"T1\",\"instance\":\"a\",\"keys\":[41,42,43],\"move\":\"generated\",\"type\":\"keys\",\"v\":1}",
                "{\"at\":\"T2\",\"instance\":\"b\",\"keys\":[42],\"move\":\"claimed\",\"type\":\"keys\",\"v\":1}",
                "{\"at\":\"T2\",\"instance\":\"b\",\"keys\":[142,421],\"move\":\"claimed\",\"type\":\"keys\",\"v\":1}"))
        .growTo(600);
    log.append(
            entries(
                "{\"at\":\"T3\",\"keyId\":42,\"request\":\"%s\",\"status\":\"signed\",\"type\":\"request\",\"v\":1}"
                    .formatted(ID),
                "{\"at\":\"T3\",\"keyId\":41,\"request\":\"%s\",\"status\":\"failed\",\"type\":\"request\",\"v\":1}"
                    .formatted(OTHER)))
        .growTo(610);
    log.append(
        entries(
            "{\"at\":\"T4\\u001b[2J\",\"request\":\"%s\",\"type\":\"destruction\",\"v\":1}"
                .formatted(ID),
            "{\"at\":\"T5\",\"request\":\"%s\",\"type\":\"erased\",\"v\":1}".formatted(ID)));
  }

  private int run(String... args) {
    return KeywellCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(args);
  }

  @Test
  void tellsTheStoryOfASignature() {
    assertThat(run("log", "show", ID.toUpperCase(java.util.Locale.ROOT), dir.toString()))
        .as(err.toString())
        .isZero();

    assertThat(out.toString())
        .contains(
            """

            Entry 300: keys generated
              at                   T1
              instance             a
              keys                 3

            Entry 301: keys claimed
              at                   T2
              instance             b
              keys                 1

            Entry 600: request signed
              at                   T3
              keyId                42
              request              %s

            Entry 610: destruction
              at                   T4\uFFFD[2J
              request              %s

            Entry 611: signer's data erased
              at                   T5
              request              %s
            """
                .formatted(ID, ID, ID));
  }

  @Test
  void printsJsonForScripts() {
    assertThat(run("log", "show", ID, dir.toString(), "--json")).isZero();

    JsonNode story = JsonMapper.builder().build().readTree(out.toString());
    assertThat(story.path("request").asString()).isEqualTo(ID);
    assertThat(story.path("size").intValue()).isEqualTo(612);
    assertThat(story.path("entries"))
        .extracting(entry -> entry.path("index").intValue())
        .containsExactly(300, 301, 600, 610, 611);
    assertThat(story.path("entries").path(1).path("content").path("move").asString())
        .isEqualTo("claimed");
    assertThat(err.toString()).contains("trusted on first use");
  }

  @Test
  void aRequestThatIsNotThereIsSaid() {
    assertThat(run("log", "show", "11111111-1111-4111-8111-111111111111", dir.toString()))
        .isEqualTo(1);

    assertThat(err.toString())
        .contains("the log's 612 entries do not mention request 11111111-1111");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void nothingIsToldFromALogThatIsNotSound() throws Exception {
    log.spoil(TileId.ofEntries(0, 256), 50);

    assertThat(run("log", "show", ID, dir.toString())).isEqualTo(1);

    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("entry 2 does not have the hash in tile/0/000");
  }
}
