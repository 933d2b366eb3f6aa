package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import tools.jackson.databind.JsonNode;

/** A request id is processed once, no matter who repeats it and when. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class IdempotencyIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int REPEATS = 16;

  private Site site;
  private RunningKeywell keywell;

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    site = Site.create(home);
    site.stock(SPEC, 60);
    keywell = serve();
  }

  private RunningKeywell serve() {
    return RunningKeywell.start(site.settings(Settings.pool(SPEC, 50)));
  }

  @AfterAll
  void stop() {
    keywell.close();
    site.close();
  }

  @Test
  void concurrentRepeatsShareOneSignature() throws Exception {
    for (int round = 0; round < 10; round++) {
      UUID id = UUID.randomUUID();
      assertAllEqual(id, repeat(body(id), REPEATS), 200);
      assertSignatures(1, id);
    }
  }

  @Test
  void laterRepeatsGetTheStoredAnswerAlsoWhenManyAskAtOnce() throws Exception {
    UUID id = UUID.randomUUID();
    JsonNode first = keywell.http().sign(body(id)).body();
    assertThat(first.path("requestId").asString()).isEqualTo(id.toString());
    for (int round = 0; round < 10; round++) {
      JsonNode later = assertAllEqual(id, repeat(body(id), REPEATS), 200);
      assertThat(later).isEqualTo(first);
    }
    assertThat(keywell.http().result(id).body()).isEqualTo(first);
    assertSignatures(1, id);
  }

  @Test
  void anotherDeadlineOrCaseOfTheIdIsTheSameRequest() throws Exception {
    UUID id = UUID.randomUUID();
    JsonNode first = keywell.http().sign(body(id)).body();
    assertThat(keywell.http().sign(body(id).deadlineMillis(59_000)).body()).isEqualTo(first);
    SignBody capitals = body(id).with("requestId", id.toString().toUpperCase(Locale.ROOT));
    assertThat(keywell.http().sign(capitals).body()).isEqualTo(first);
    SignBody explicit = body(id).with("signatureAlgorithm", "ECDSA");
    assertThat(keywell.http().sign(explicit).body()).isEqualTo(first);
  }

  @Test
  void anotherContentIsRefused() throws Exception {
    UUID id = UUID.randomUUID();
    assertThat(keywell.http().sign(body(id)).status()).isEqualTo(200);
    for (SignBody other :
        List.of(
            SignBody.of("another document").keySpec(SPEC).requestId(id),
            body(id).signer("commonName", "Bertil Exempel"),
            body(id).signer("givenName", "Astrid"),
            body(id).keySpec(KeySpec.RSA_2048))) {
      assertReused(keywell.http().sign(other));
    }
    assertSignatures(1, id);
  }

  @Test
  void anotherContentIsRefusedWhileTheFirstIsInFlight() throws Exception {
    UUID id = UUID.randomUUID();
    List<SignBody> bodies = new ArrayList<>();
    for (int i = 0; i < REPEATS; i++) {
      bodies.add(SignBody.of("document " + i).keySpec(SPEC).requestId(id));
    }
    List<HttpApi.Answer> answers = all(bodies);
    assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(1);
    answers.stream().filter(answer -> answer.status() != 200).forEach(IdempotencyIT::assertReused);
    assertSignatures(1, id);
  }

  /** RSA-2048 has a pool, and no key: each request fails, for good. */
  @Test
  void aFailureIsRepeatedAsWell() throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = SignBody.of("document").requestId(id);
    JsonNode first = assertAllEqual(id, repeat(body, 4), 503);
    assertThat(first.path("type").asString()).isEqualTo("urn:keywell:problem:pool-empty");
    site.stock(KeySpec.RSA_2048, 1);
    assertThat(keywell.http().sign(body).body()).isEqualTo(first);
    assertThat(keywell.http().result(id).body().path("detail")).isEqualTo(first.path("detail"));
    assertThat(keywell.http().result(id).problem()).isEqualTo("pool-empty");
    assertSignatures(0, id);
  }

  @Test
  void aRestartChangesNoAnswer() throws Exception {
    UUID signed = UUID.randomUUID();
    UUID failed = UUID.randomUUID();
    SignBody failing = SignBody.of("document").requestId(failed);
    JsonNode answer = keywell.http().sign(body(signed)).body();
    // Keys that other tests stored, until there is none.
    while (keywell.http().sign(SignBody.of("document")).status() == 200) {}
    JsonNode problem = keywell.http().sign(failing).body();
    assertThat(problem.path("status").asInt()).isEqualTo(503);

    keywell.close();
    keywell = serve();

    assertThat(keywell.http().sign(body(signed)).body()).isEqualTo(answer);
    assertThat(keywell.http().result(signed).body()).isEqualTo(answer);
    assertThat(keywell.http().sign(failing).body()).isEqualTo(problem);
    assertReused(keywell.http().sign(body(signed).signer("surname", "Exempel")));
    assertSignatures(1, signed);
    assertSignatures(0, failed);
  }

  private static SignBody body(UUID id) {
    return SignBody.of("document").keySpec(SPEC).requestId(id);
  }

  private List<HttpApi.Answer> repeat(SignBody body, int times) throws Exception {
    return all(Collections.nCopies(times, body));
  }

  /** Sends all at the same time. */
  private List<HttpApi.Answer> all(List<SignBody> bodies) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(bodies.size())) {
      List<Callable<HttpApi.Answer>> calls = new ArrayList<>();
      bodies.forEach(body -> calls.add(() -> keywell.http().sign(body)));
      List<HttpApi.Answer> answers = new ArrayList<>();
      for (Future<HttpApi.Answer> answer : threads.invokeAll(calls)) {
        answers.add(answer.get());
      }
      return answers;
    }
  }

  private static JsonNode assertAllEqual(UUID id, List<HttpApi.Answer> answers, int status) {
    JsonNode first = answers.getFirst().body();
    assertThat(answers).as("answers to %s", id).allMatch(answer -> answer.status() == status);
    assertThat(answers).extracting(HttpApi.Answer::body).containsOnly(first);
    return first;
  }

  private static void assertReused(HttpApi.Answer answer) {
    assertThat(answer.problem()).isEqualTo("request-id-reused");
    assertThat(answer.status()).isEqualTo(409);
  }

  private void assertSignatures(int count, UUID id) throws Exception {
    assertThat(
            site.sql()
                .count(
                    "SELECT count(signature) FROM sign_request WHERE request_id = '%s'"
                        .formatted(id)))
        .isEqualTo(count);
    assertThat(
            site.sql()
                .count(
                    "SELECT count(*) - count(DISTINCT key_id) FROM sign_request"
                        + " WHERE key_id IS NOT NULL"))
        .isZero();
  }
}
