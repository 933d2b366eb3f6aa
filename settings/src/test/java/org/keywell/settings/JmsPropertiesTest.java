package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.settings.JmsProperties.Broker;

final class JmsPropertiesTest {

  private static final String ENABLED = "keywell.jms.enabled=true";
  private static final String USER = "keywell.jms.username=keywell";
  private static final String PASSWORD = "keywell.jms.password-file=password";
  private static final String VALIDATED = "keywell.jms.validated-user=true";
  private static final String CALLERS = "keywell.security.callers-file=callers.yaml";

  @Test
  void nothingIsTakenFromABrokerByDefault() {
    JmsProperties jms = KeywellPropertiesTest.bind().jms();

    assertThat(jms.enabled()).isFalse();
    assertThat(jms.addresses()).containsExactly(new Broker("127.0.0.1", 61_616));
    assertThat(jms.requestQueue()).isEqualTo("keywell.requests");
    assertThat(jms.deadLetterQueue()).isEqualTo("keywell.dead-letters");
    assertThat(jms.replyPrefix()).isEqualTo("keywell.replies.");
    assertThat(jms.consumers()).isEqualTo(4);
    assertThat(jms.answerTimeToLive()).isEqualTo(Duration.ofDays(1));
  }

  @Test
  void allOfItComesFromTheEnvironment() {
    JmsProperties jms =
        KeywellPropertiesTest.bindEnvironment(
                Map.of(
                    "KEYWELL_JMS_ENABLED", "true",
                    "KEYWELL_JMS_BROKERS", "one.example:61617,[2001:db8::1]:61618",
                    "KEYWELL_JMS_BUNDLE", "broker",
                    "KEYWELL_JMS_USERNAME", "keywell",
                    "KEYWELL_JMS_PASSWORDFILE", "/etc/jms",
                    "KEYWELL_JMS_VALIDATEDUSER", "true",
                    "KEYWELL_JMS_REQUESTQUEUE", "sign",
                    "KEYWELL_SECURITY_CALLERSFILE", "/etc/callers.yaml"))
            .jms();

    assertThat(jms.enabled()).isTrue();
    assertThat(jms.passwordFile()).isEqualTo(Path.of("/etc/jms"));
    assertThat(jms.requestQueue()).isEqualTo("sign");
    assertThat(jms.addresses())
        .containsExactly(new Broker("one.example", 61_617), new Broker("2001:db8::1", 61_618));
  }

  @Test
  void aBrokerNeedsCredentialsAndToStateWhoSends() {
    assertThat(KeywellPropertiesTest.refusal(ENABLED, PASSWORD, VALIDATED, CALLERS))
        .contains("keywell.jms.username");
    assertThat(KeywellPropertiesTest.refusal(ENABLED, USER, VALIDATED, CALLERS))
        .contains("keywell.jms.password-file");
    assertThat(KeywellPropertiesTest.refusal(ENABLED, USER, PASSWORD, CALLERS))
        .contains("keywell.jms.validated-user");
    assertThat(KeywellPropertiesTest.refusal(ENABLED, USER, PASSWORD, VALIDATED))
        .contains("keywell.jms.enabled", "keywell.security.callers-file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"broker.example:61616", "10.0.0.1:61616", "[2001:db8::1]:61616"})
  void aBrokerOnAnotherMachineNeedsTls(String broker) {
    assertThat(
            KeywellPropertiesTest.refusal(
                ENABLED, USER, PASSWORD, VALIDATED, CALLERS, "keywell.jms.brokers=" + broker))
        .contains("keywell.jms.brokers", "keywell.jms.bundle");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:61616", "127.0.0.2:61616", "[::1]:61616"})
  void oneOnThisMachineNeedsNone(String broker) {
    assertThat(
            KeywellPropertiesTest.bind(
                    ENABLED, USER, PASSWORD, VALIDATED, CALLERS, "keywell.jms.brokers=" + broker)
                .jms()
                .addresses())
        .hasSize(1);
  }

  @Test
  void theBrokerThatComesAlongIsForThisMachine() {
    assertThat(KeywellPropertiesTest.bind("keywell.jms.embedded=true").jms().embedded()).isTrue();
    assertThat(
            KeywellPropertiesTest.refusal(
                "keywell.jms.embedded=true", "keywell.jms.brokers=10.0.0.1:61616"))
        .contains("keywell.jms.embedded");
  }

  @ParameterizedTest
  @CsvSource({
    "brokers,localhost",
    "brokers,localhost:0",
    "brokers,localhost:65536",
    "brokers,tcp://localhost:61616",
    "brokers,localhost:61616?x=y",
    "request-queue,a::b",
    "request-queue,a?x=y",
    "dead-letter-queue,keywell.requests",
    "reply-prefix,keywell.",
    "consumers,0",
    "consumers,65",
    "answer-time-to-live,1s"
  })
  void whatIsOutOfBoundsIsRefusedByName(String name, String value) {
    assertThat(KeywellPropertiesTest.refusal("keywell.jms." + name + "=" + value))
        .contains("keywell.jms.");
  }
}
