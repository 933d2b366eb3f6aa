package org.keywell.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;

/** One wrapping key in two tokens, by the commands that their operators run. */
final class EnrolmentIT {

  private static final Pattern FINGERPRINT = Pattern.compile("fingerprint: ([0-9a-f-]{79})");
  private static final String SHARED = "keywell-shared";
  private static final String STRANGER = "0".repeat(64);

  @TempDir Path west;
  @TempDir Path east;
  @TempDir Path files;

  private final Database database = PostgresForTests.newDatabase();

  @Test
  void aPoolThatOneTokenFilledIsSignedFromByTheOther() throws Exception {
    Map<String, String> westSettings = settings(west, "west");
    Map<String, String> eastSettings = settings(east, "east");
    String request = files.resolve("east.request").toString();
    String answer = request + ".answer";

    String asked = run(0, eastSettings, "hsm", "transport", request);
    assertThat(asked).contains("serial ");

    // Neither a request nor an answer counts before somebody has compared it.
    assertRefused(
        1, westSettings, "hsm", "enrol", "--label", SHARED, "--fingerprint", STRANGER, request);
    assertThat(Path.of(answer)).doesNotExist();
    String enrolled =
        run(
            0,
            westSettings,
            "hsm",
            "enrol",
            "--label",
            SHARED,
            "--fingerprint",
            fingerprint(asked),
            request);
    assertThat(enrolled).contains("created: wrapping key " + SHARED + ":");
    assertRefused(1, eastSettings, "hsm", "accept", "--fingerprint", STRANGER, answer);
    assertTamperedIsRefused(eastSettings, Path.of(answer), fingerprint(enrolled));

    String[] accept = {"hsm", "accept", "--fingerprint", fingerprint(enrolled), answer};
    String accepted = run(0, eastSettings, accept);
    assertThat(accepted.lines().findFirst()).isEqualTo(enrolled.lines().findFirst());
    assertThat(run(0, eastSettings, accept)).startsWith("exists:  wrapping key " + SHARED + ":");
    // What exists is not replaced; a request that was answered is not answered once more.
    assertRefused(2, eastSettings, "hsm", "transport", request);
    Files.delete(Path.of(answer));
    assertRefused(
        2,
        westSettings,
        "hsm",
        "enrol",
        "--label",
        SHARED,
        "--fingerprint",
        fingerprint(asked),
        request);
    assertThat(Path.of(answer)).doesNotExist();

    westSettings.put("keywell.hsm.wrapping-key-label", SHARED);
    eastSettings.put("keywell.hsm.wrapping-key-label", SHARED);
    run(0, westSettings, "fill", "3", "--key-spec", "EC-P256");
    assertSignsFromThePool(eastSettings, 3);
  }

  private void assertTamperedIsRefused(
      Map<String, String> settings, Path answer, String fingerprint) throws Exception {
    Path tampered =
        Files.writeString(
            files.resolve("tampered"), Files.readString(answer).replace(SHARED, "keywell-sharee"));
    assertRefused(1, settings, "hsm", "accept", "--fingerprint", fingerprint, tampered.toString());
  }

  private void assertSignsFromThePool(Map<String, String> settings, int keys) throws Exception {
    try (KeywellProcess keywell =
        KeywellProcess.start(settings, files.resolve("serve.log"), "serve")) {
      HttpApi http = keywell.awaitReady();
      for (int i = 0; i < keys; i++) {
        HttpApi.Answer answer = http.sign(SignBody.of("document").keySpec(KeySpec.EC_P256));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        SignedAnswer signed = SignedAnswer.of(answer);
        assertThat(signed.preGenerated()).isTrue();
        signed.verify("SHA256withECDSA", "document".getBytes(UTF_8));
      }
      keywell.terminate();
      keywell.awaitExit();
    }
  }

  private Map<String, String> settings(Path home, String instance) {
    Map<String, String> more = new HashMap<>(Settings.pool(KeySpec.EC_P256, 3));
    more.put("keywell.instance", instance);
    return Settings.of(SoftHsmToken.create(), database, home, more);
  }

  private static String fingerprint(String report) {
    Matcher matcher = FINGERPRINT.matcher(report);
    assertThat(matcher.find()).as(report).isTrue();
    return matcher.group(1);
  }

  private void assertRefused(int exitCode, Map<String, String> settings, String... command)
      throws Exception {
    assertThat(run(exitCode, settings, command).lines())
        .singleElement()
        .satisfies(line -> assertThat(line).startsWith("keywell: ").doesNotContain("Exception"));
  }

  private String run(int exitCode, Map<String, String> settings, String... command)
      throws Exception {
    Path log = Files.createTempFile(files, command[0], ".log");
    try (KeywellProcess process = KeywellProcess.start(settings, log, command)) {
      assertThat(process.awaitExit()).as(process.log()).isEqualTo(exitCode);
      return process.log();
    }
  }
}
