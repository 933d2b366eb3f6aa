package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.loadgen.cli.LoadCommand;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.testkit.Await;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The load generator against the real service: what its reports say is what the service did. Here,
 * because neither knows the other; only this test knows both.
 */
final class LoadGeneratorIT {

  private static final JsonMapper JSON = JsonMapper.shared();

  private static final String RAMP =
      """
      from_request,to_request,delay_ms,requests_per_second
      1,10,100,10
      11,30,20,50
      """;

  private static final String STEEP_RAMP =
      """
      from_request,to_request,delay_ms,requests_per_second
      1,5,100,10
      6,85,20,50
      """;

  /** Slow enough that a machine which is busy with other tests is no slower. */
  private static final String PROFILE =
      """
      name: quick
      source: a test
      generation: 80ms
      wrapping: 1ms
      unwrapping: 1ms
      signing: 8ms
      """;

  @TempDir Path home;
  private final StringWriter out = new StringWriter();

  private int load(String... arguments) {
    PrintWriter writer = new PrintWriter(out, true);
    return LoadCommand.commandLine().setOut(writer).setErr(writer).execute(arguments);
  }

  private JsonNode json(String file) throws IOException {
    return JSON.readTree(home.resolve(file).toFile());
  }

  private static int loaded(HttpApi http, KeySpec spec) throws Exception {
    for (JsonNode pool : http.get("/pool").body().path("pools")) {
      if (pool.path("keySpec").asString().equals(spec.label())) {
        return pool.path("loaded").asInt();
      }
    }
    return 0;
  }

  @Test
  void aRampIsSignedVerifiedAndReported() throws Exception {
    Path ramp = Files.writeString(home.resolve("ramp.csv"), RAMP);
    try (Site site = Site.create(home)) {
      site.stock(KeySpec.RSA_2048, 40);
      try (KeywellProcess keywell =
          KeywellProcess.start(
              site.settings(Settings.pool(KeySpec.RSA_2048, 40)),
              home.resolve("serve.log"),
              "serve")) {
        HttpApi http = keywell.awaitReady();
        Await.until("all keys are loaded", () -> loaded(http, KeySpec.RSA_2048) == 40);

        int code =
            load(
                "ramp",
                "--url=" + http.base(),
                "--csv=" + ramp,
                "--warm-up=5",
                "--test-id=it",
                "--out=" + home.resolve("report"),
                "--require=dropped=0",
                "--require=pregenerated=100%");

        assertThat(code).as(out.toString()).isZero();
        JsonNode run = json("report/run.json");
        assertThat(run.path("totals").path("signed").asInt()).isEqualTo(30);
        assertThat(run.path("verification").path("checked").asInt()).isEqualTo(30);
        assertThat(run.path("verification").path("invalid").asInt()).isZero();
        assertThat(run.path("verification").path("distinctKeys").asInt()).isEqualTo(30);
        assertThat(run.path("service").path("mode").asString()).isEqualTo("pooled");
        assertThat(run.path("pool").path(0).path("loaded").asInt()).isBetween(5, 35);
        assertThat(run.path("stages").valueStream().map(s -> s.path("stage").asString()))
            .containsExactly(
                "accept", "queue", "key", "sign", "certify", "destroy", "finish", "record",
                "unseen");
        assertThat(Files.readAllLines(home.resolve("report/samples.csv"))).hasSize(31);
        assertThat(Files.readString(home.resolve("report/report.html")))
            .contains("<title>Keywell load: ramp</title>", "\"due\":30,\"signed\":30,");
        // The reports' experiments are those of the records.
        assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE test_id = 'it'"))
            .isEqualTo(30);
        assertThat(
                site.sql().count("SELECT count(*) FROM sign_request WHERE test_id = 'it:warm-up'"))
            .isEqualTo(5);
        assertThat(loaded(http, KeySpec.RSA_2048)).isEqualTo(5);

        // What cannot be met ends with 3; the pool has keys for part of the ramp only.
        assertThat(
                load(
                    "ramp",
                    "--url=" + http.base(),
                    "--csv=" + ramp,
                    "--time-scale=0.1",
                    "--anyway",
                    "--out=" + home.resolve("second"),
                    "--require=dropped=0"))
            .isEqualTo(3);
        JsonNode problems = json("second/run.json").path("totals").path("problems");
        assertThat(problems.path("urn:keywell:problem:pool-empty").asInt()).isEqualTo(25);
      }
    }
  }

  @Test
  @Tag("experiment")
  void theTraditionalSystemDropsWhatThePoolHolds() throws Exception {
    Path ramp = Files.writeString(home.resolve("ramp.csv"), STEEP_RAMP);
    Path profile = Files.writeString(home.resolve("quick.yaml"), PROFILE);
    List<String> arguments =
        List.of(
            "--key-spec=EC-P256",
            "--csv=" + ramp,
            "--warm-up=3",
            "--queue-limit=30",
            "--profile=" + profile,
            "--out=" + home.resolve("report"),
            "--require=pregenerated=100%",
            "--require=on-the-fly.pregenerated=0",
            "--require=on-the-fly.refused>0",
            "--require=factor>1");
    try (Site site = Site.create(home)) {
      assertThat(load(site, "compare", arguments)).as(out.toString()).isZero();

      JsonNode both = json("report/comparison.json");
      JsonNode pooled = both.path("pooled");
      assertThat(pooled.path("simulatedProfile").asString()).isEqualTo("quick");
      assertThat(pooled.path("totals").path("signed").asInt())
          .isGreaterThan(both.path("onTheFly").path("totals").path("signed").asInt());
      // The loader and the generator had nothing to do.
      assertThat(pooled.path("service").path("pools").toString())
          .contains("\"keySpec\":\"EC-P256\",\"stored\":0,\"loaded\":135");
      assertThat(Files.readString(home.resolve("report/report.html")))
          .contains("\"simulatedProfile\":\"quick\"");
    }
  }

  @Test
  @Tag("experiment")
  void anOverloadIsPredictedAndMeasured() throws Exception {
    Path profile = Files.writeString(home.resolve("quick.yaml"), PROFILE);
    List<String> arguments =
        List.of(
            "--key-spec=EC-P256",
            "--rates=2x,4x",
            "--requests=80",
            "--base-requests=200",
            "--base-callers=4",
            "--profile=" + profile,
            "--out=" + home.resolve("report"),
            "--require=dropped=0");
    try (Site site = Site.create(home)) {
      assertThat(load(site, "overload", arguments)).as(out.toString()).isZero();

      JsonNode run = json("report/run.json");
      double baseRate = run.path("baseRate").path("perSecond").asDouble();
      // No device is faster than its profile: at most 125 signings of 8 ms in a second. The rate is
      // that between two answers 1.5 s apart, the first of which may come some ms late.
      assertThat(baseRate).isBetween(1.0, 125.0 * 1.02);
      assertThat(run.path("tests").size()).isEqualTo(2);
      for (JsonNode test : run.path("tests")) {
        assertThat(test.path("signed").asInt()).isEqualTo(80);
        assertThat(test.path("actualQueue").asInt()).isBetween(1, 80);
        assertThat(test.path("polledQueue").asInt()).isBetween(1, 80);
        assertThat(test.path("actualLatencySeconds").asDouble()).isPositive();
      }
      assertThat(
              site.sql().count("SELECT count(*) FROM sign_request WHERE test_id LIKE '%:test-2'"))
          .isEqualTo(80);
    }
  }

  private int load(Site site, String command, List<String> arguments) {
    ServiceProgram service = KeywellProcess.program(site.settings(), home);
    List<String> all = new ArrayList<>(List.of(command));
    all.addAll(arguments);
    PrintWriter writer = new PrintWriter(out, true);
    return LoadCommand.commandLine(() -> service)
        .setOut(writer)
        .setErr(writer)
        .execute(all.toArray(String[]::new));
  }
}
