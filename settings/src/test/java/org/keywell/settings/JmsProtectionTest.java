package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.settings.JmsProtection.Quality;
import org.keywell.settings.JmsProtection.Queue;

final class JmsProtectionTest {

  private static final String SIGNING = "keywell.jms.signing-bundle=signing";
  private static final String DECRYPTION = "keywell.jms.decryption-bundle=decryption";

  private @TempDir Path directory;

  private JmsProtection read(String yaml, String... settings) throws Exception {
    Path file = directory.resolve("protection.yaml");
    Files.writeString(file, yaml);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    return JmsProtection.of(properties(file, settings));
  }

  private static JmsProperties properties(Path file, String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("keywell.jms.protection-file=" + file);
    return KeywellPropertiesTest.bind(all.toArray(String[]::new)).jms();
  }

  @Test
  void withoutAFileMessagesAreAsTheBrokerDeliversThem() {
    JmsProtection none =
        JmsProtection.of(KeywellPropertiesTest.bind("keywell.jms.request-queue=sign").jms());

    assertThat(none.queues())
        .singleElement()
        .satisfies(queue -> {
          assertThat(queue.name()).isEqualTo("sign");
          assertThat(queue.requests()).isEqualTo(Quality.NONE);
          assertThat(queue.answers()).isEqualTo(Quality.NONE);
          assertThat(queue.callers()).isEmpty();
        });
  }

  /** A signature says who sent it, whatever the broker states. */
  @Test
  void onlyRequestsWithoutSignaturesNeedTheBrokersWord() throws Exception {
    String[] enabled = {
      "keywell.jms.enabled=true",
      "keywell.jms.username=keywell",
      "keywell.jms.password-file=password",
      "keywell.security.callers-file=callers.yaml",
      SIGNING,
      DECRYPTION
    };
    String signed =
        """
        protection:
          queues:
            - {name: one, requests: integrity, answers: integrity}
            - {name: two, requests: privacy, answers: none}
        """;

    assertThat(read(signed, enabled).queues()).hasSize(2);
    String[] stated =
        Stream.concat(Stream.of(enabled), Stream.of("keywell.jms.validated-user=true"))
            .toArray(String[]::new);
    for (String quality : List.of("none", "confidentiality")) {
      String mixed =
          signed + "    - {name: three, requests: %s, answers: none}\n".formatted(quality);
      assertThatExceptionOfType(StartRefusedException.class)
          .isThrownBy(() -> read(mixed, enabled))
          .withMessageContaining("keywell.jms.validated-user");
      assertThat(read(mixed, stated).queues()).hasSize(3);
    }
  }

  @Test
  void eachQueueHasItsOwnDemands() throws Exception {
    JmsProtection read =
        read(
            """
            protection:
              queues:
                - name: keywell.requests
                  requests: none
                  answers: none
                - name: keywell.signed
                  requests: integrity
                  answers: privacy
                  callers: [tax, toll]
                  window: 2h
                  consumers: 2
                - name: keywell.secret
                  requests: confidentiality
                  answers: confidentiality
                  messages-per-key: 0
              recipients:
                - caller: tax
                  certificate: /etc/tax.pem
            """,
            SIGNING,
            DECRYPTION);

    assertThat(read.queues())
        .containsExactly(
            new Queue(
                "keywell.requests",
                Quality.NONE,
                Quality.NONE,
                List.of(),
                Duration.ofHours(1),
                null,
                32),
            new Queue(
                "keywell.signed",
                Quality.INTEGRITY,
                Quality.PRIVACY,
                List.of("tax", "toll"),
                Duration.ofHours(2),
                2,
                32),
            new Queue(
                "keywell.secret",
                Quality.CONFIDENTIALITY,
                Quality.CONFIDENTIALITY,
                List.of(),
                Duration.ofHours(1),
                null,
                0));
    assertThat(read.recipients())
        .containsExactly(new JmsProtection.Recipient("tax", Path.of("/etc/tax.pem")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {queues: []}                                                       | 1-8
          {queues: [{name: q, requests: integrity}]}                         | needs requests and answers
          {queues: [{name: q, requests: signed, answers: none}]}             | requests
          {queues: [{name: a b, requests: integrity, answers: none}]}        | name
          {queues: [{name: q, requests: none, answers: integrity}]}          | answers of queue q
          {queues: [{name: q, requests: integrity, answers: none, window: 8d}]} | 1m-7d
          {queues: [{name: q, requests: integrity, answers: none, consumers: 65}]} | 1-64
          {queues: [{name: q, requests: integrity, answers: none, sender: x}]} | queues[0].sender
          {queues: [{name: q, requests: integrity, answers: none}], allow: 1} | allow
          {queues: [{name: q, requests: none, answers: none}, {name: q, requests: none, answers: none}]} | each queue once
          {queues: [{name: keywell.dead-letters, requests: none, answers: none}]} | dead-letter-queue
          {queues: [{name: keywell.replies.tax, requests: none, answers: none}]} | reply-prefix
          {queues: [{name: q, requests: none, answers: none, consumers: 64}, {name: p, requests: none, answers: none}]} | all queues together
          {queues: [{name: q, requests: none, answers: none}], recipients: [{caller: tax}]} | certificate
          """)
  void anInvalidFileStopsTheStart(String yaml, String told) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> read("protection: " + yaml, SIGNING, DECRYPTION))
        .withMessageContaining(told);
  }

  @Test
  void keysAreNeededWhereMessagesHaveThem() {
    String signed = "protection: {queues: [{name: q, requests: integrity, answers: none}]}";
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> read(signed, DECRYPTION))
        .withMessageContaining("keywell.jms.signing-bundle");
    String secret = "protection: {queues: [{name: q, requests: confidentiality, answers: none}]}";
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> read(secret, SIGNING))
        .withMessageContaining("keywell.jms.decryption-bundle");
  }

  @Test
  void othersMustNotWriteToIt() throws Exception {
    Path file = directory.resolve("open.yaml");
    Files.writeString(file, "protection: {queues: [{name: q, requests: none, answers: none}]}");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> JmsProtection.of(properties(file)))
        .withMessageContaining("0644 or less");
  }
}
