package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** All of {@code keywell.*} as Spring binds it. */
final class KeywellPropertiesTest {

  @EnableConfigurationProperties(KeywellProperties.class)
  static class Settings {}

  /** The settings with these changed. */
  static KeywellProperties bind(String... settings) {
    KeywellProperties[] bound = new KeywellProperties[1];
    runner()
        .withPropertyValues(settings)
        .run(context -> bound[0] = context.getBean(KeywellProperties.class));
    return bound[0];
  }

  /** The settings as an operator changes them from the environment. */
  static KeywellProperties bindEnvironment(Map<String, Object> environment, String... settings) {
    KeywellProperties[] bound = new KeywellProperties[1];
    runner()
        .withPropertyValues(settings)
        .withInitializer(context ->
            context
                .getEnvironment()
                .getPropertySources()
                .addFirst(
                    new SystemEnvironmentPropertySource("test-systemEnvironment", environment)))
        .run(context -> bound[0] = context.getBean(KeywellProperties.class));
    return bound[0];
  }

  /** Why the settings do not bind: the innermost message. */
  static String refusal(String... settings) {
    String[] message = new String[1];
    runner()
        .withPropertyValues(settings)
        .run(context -> {
          assertThat(context).hasFailed();
          message[0] = String.valueOf(root(context.getStartupFailure()).getMessage());
        });
    return message[0];
  }

  /** What is set in the environment of the tests, such as KEYWELL_HOME, is no default. */
  private static ApplicationContextRunner runner() {
    return new ApplicationContextRunner()
        .withUserConfiguration(Settings.class)
        .withInitializer(context ->
            context
                .getEnvironment()
                .getPropertySources()
                .remove(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME));
  }

  private static Throwable root(@Nullable Throwable failure) {
    Throwable root = new AssertionError("bound", failure);
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  @Test
  void everythingHasADefault() {
    KeywellProperties settings = bind();

    assertThat(settings.home()).isAbsolute().hasFileName(".keywell");
    assertThat(settings.instance()).isEqualTo("keywell-1");
    assertThat(settings.database().isEmbedded()).isTrue();
    assertThat(settings.hsm().bootstrap()).isEqualTo(HsmProperties.Bootstrap.NEVER);
    assertThat(settings.sign().queueLimit()).isEqualTo(150);
    assertThat(settings.database().recordQueueLimit()).isEqualTo(1_024);
    assertThat(settings.ca()).isInstanceOf(CaProperties.class);
    assertThat(settings.console().enabled()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "keywell.hom",
        "keywell.hsm.pn",
        "keywell.hsm.devices[0].pn",
        "keywell.database.user",
        "keywell.pool.size",
        "keywell.pool.specs.RSA-2048.max",
        "keywell.sign.queue",
        "keywell.http.head",
        "keywell.identity.provider",
        "keywell.ca.profile.valid",
        "keywell.console.enable"
      })
  void anUnknownKeyStopsTheStart(String key) {
    runner()
        .withPropertyValues(key + "=1")
        .run(context ->
            assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(UnboundConfigurationPropertiesException.class)
                .hasMessageContaining("keywell."));
  }

  @ParameterizedTest
  @CsvSource({
    "''",
    "a b",
    "å",
    "a/b",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
  })
  void anInstancesNameIsPlain(String name) {
    assertThat(refusal("keywell.instance=" + name)).startsWith("keywell.instance ");
  }

  @ParameterizedTest
  @CsvSource({
    "keywell.hsm.max-sessions, 3",
    "keywell.hsm.max-sessions, 1001",
    "keywell.hsm.unwrap-sessions, 0",
    "keywell.hsm.unwrap-sessions, 65",
    "keywell.hsm.call-limit, 999ms",
    "keywell.hsm.generation-limit, 601s",
    "keywell.database.url, jdbc:h2:mem:x",
    "keywell.database.url, jdbc:postgresql://db/keywell?ssl=true&reWriteBatchedInserts=true",
    "keywell.database.max-connections, 3",
    "keywell.database.max-connections, 101",
    "keywell.database.record-queue-limit, 0",
    "keywell.database.record-queue-limit, 100001",
    "keywell.database.outcome-patience, -1s",
    "keywell.database.outcome-patience, 61s",
    "keywell.sign.handler-threads, 0",
    "keywell.sign.handler-threads, 51",
    "keywell.sign.queue-limit, 0",
    "keywell.sign.queue-limit, 100001",
    "keywell.sign.default-deadline, 0s",
    "keywell.sign.default-deadline, 61s",
    "keywell.sign.max-deadline, -1s",
    "keywell.sign.max-body, 1023B",
    "keywell.sign.max-body, 2MB",
    "keywell.identity.max-ticket, 1023B",
    "keywell.identity.max-ticket, 513KB",
    "keywell.identity.max-checks, 0",
    "keywell.identity.max-checks, 1001",
    "keywell.http.max-connections, 9",
    "keywell.http.max-connections, 100001",
    "keywell.http.head-time, 0s",
    "keywell.http.head-time, 11m",
    "keywell.http.answer-time, 0s",
    "keywell.http.body-time, 0s",
    "keywell.http.body-time, 11m",
    "keywell.http.drain, -1s",
    "keywell.http.drain, 61s",
    "keywell.pool.generator-threads, 0",
    "keywell.pool.generator-threads, 65",
    "keywell.pool.idle-after, -1ms",
    "keywell.start-patience, -1s",
    "keywell.start-patience, 61m",
    "keywell.warm-up, -1s",
    "keywell.warm-up, 61s",
    "keywell.stop-limit, 4s",
    "keywell.stop-limit, 11m",
    "keywell.hsm.hang-limit, 9s",
    "keywell.hsm.hang-limit, 61m",
    "keywell.pool.max-orphans, 0",
    "keywell.pool.max-live-keys, -1"
  })
  void aValueOutOfRangeNamesItself(String key, String value) {
    assertThat(refusal(key + "=" + value)).startsWith(key);
  }

  /** A key that was generated and finds no connection is lost. */
  @Test
  void eachGeneratorThreadHasAConnectionBesideTheInstancesLock() {
    bind("keywell.pool.generator-threads=6");
    bind("keywell.pool.generator-threads=7", "keywell.database.max-connections=11");
    bind("keywell.pool.generator-threads=7", "keywell.pool.mode=on-the-fly");

    assertThat(refusal("keywell.pool.generator-threads=7"))
        .startsWith("keywell.database.max-connections is 10, of which 7 ")
        .contains("generator-threads")
        .endsWith(" need 8");
  }

  @Test
  void aProcessDoesNotEndForACallThatMayTakeSoLong() {
    bind("keywell.hsm.call-limit=40s", "keywell.hsm.hang-limit=40s");
    bind("keywell.hsm.call-limit=40s", "keywell.hsm.hang-limit=0");

    assertThat(refusal("keywell.hsm.call-limit=40s"))
        .isEqualTo("keywell.hsm.hang-limit is PT30S, less than call-limit, which is PT40S");
  }

  @Test
  void callersWaitUntilTheLongestWaitForDeviceOrDatabaseIsOver() {
    assertThat(bind().answerGrace()).hasSeconds(17);
    assertThat(bind("keywell.hsm.call-limit=40s", "keywell.hsm.hang-limit=1m").answerGrace())
        .hasSeconds(42);
  }

  @Test
  void aBodyHasRoomForATicketIfTicketsAreTaken() {
    bind("keywell.sign.max-body=2KB");

    assertThat(refusal("keywell.sign.max-body=24KB", "keywell.identity.providers-file=/etc/p.yaml"))
        .startsWith("keywell.identity.max-ticket is 24576B")
        .contains("keywell.sign.max-body");
  }

  @Test
  void aDeviceProfileIsNamedOrAbsent() {
    assertThat(bind().hsm().profile()).isNull();
    assertThat(bind("keywell.hsm.profile=").hsm().profile()).isNull();
    assertThat(bind("keywell.hsm.profile=luna-sa-1700").hsm().profile()).isEqualTo("luna-sa-1700");
  }

  @Test
  void anUnknownDeviceProfileIsAnsweredWithTheKnownOnes() {
    assertThat(refusal("keywell.hsm.profile=luna"))
        .startsWith("keywell.hsm.profile: ")
        .contains("'luna'", "luna-sa-1700, luna-sa-1700-remote");
  }

  @Test
  void aDeviceProfilesFileIsNamed() {
    assertThat(refusal("keywell.hsm.profile=/no/such.yaml"))
        .isEqualTo("keywell.hsm.profile: /no/such.yaml: no such file");
  }

  @Test
  void secretsAreNotPrinted() {
    KeywellProperties settings =
        bind(
            "keywell.hsm.pin=123456",
            "keywell.database.password=swordfish",
            "keywell.database.owner.username=keywell_owner",
            "keywell.database.owner.password=sawfish");

    assertThat(settings.hsm().pin()).isEqualTo("123456");
    assertThat(settings.database().password()).isEqualTo("swordfish");
    assertThat(
            settings.toString()
                + settings.hsm()
                + settings.database()
                + settings.database().owner())
        .contains("keywell_owner")
        .doesNotContain("123456", "swordfish", "sawfish");
  }

  @Test
  void theOwnerOfTheTablesIsAnotherRole() {
    assertThat(bind().database().owner()).isNull();
    assertThat(refusal("keywell.database.owner.password=sawfish"))
        .isEqualTo("keywell.database.owner.username is not set");
    assertThat(refusal("keywell.database.username=a", "keywell.database.owner.username=a"))
        .contains("keywell.database.owner.username is the same as keywell.database.username");
    assertThat(
            Objects.requireNonNull(
                    bindEnvironment(Map.of("KEYWELL_DATABASE_OWNER_USERNAME", "keywell_owner"))
                        .database()
                        .owner())
                .username())
        .isEqualTo("keywell_owner");
  }

  @Test
  void theCasSignaturesAreBounded() {
    assertThat(bind().ca().signingLimits().concurrentSignatures()).isEqualTo(5);
    assertThat(
            bindEnvironment(Map.of("KEYWELL_CA_CONCURRENTSIGNATURES", "50"))
                .ca()
                .signingLimits()
                .concurrentSignatures())
        .isEqualTo(50);
    for (String odd : new String[] {"0", "51"}) {
      assertThat(refusal("keywell.ca.concurrent-signatures=" + odd))
          .contains("concurrentSignatures is " + odd + ", and must be 1 to 50");
    }
  }

  /** Acts that stand open keep their keys beside the loaded ones. */
  @Test
  void openActsNeedRoomInTheHsm() {
    String[] fits = {
      "keywell.pool.specs.RSA-2048.loaded-capacity=20",
      "keywell.pool.specs.RSA-2048.low-water=20",
      "keywell.pool.max-orphans=10",
      "keywell.acts.max-open=8",
      "keywell.pool.max-live-keys=40"
    };
    assertThat(bind(fits).pool().maxLiveKeys()).isEqualTo(40);

    fits[3] = "keywell.acts.max-open=9";
    assertThat(refusal(fits))
        .contains("keywell.pool.max-live-keys is 40", "keywell.acts.max-open (9)", "come to 41");
  }

  @ParameterizedTest
  @CsvSource({
    "keywell.database.url, jdbc:postgresql://db/keywell",
    "keywell.log.public, true",
    "keywell.security.hosts, keywell.example",
    "keywell.identity.providers-file, /etc/keywell/providers.yaml",
  })
  void trialFilesAreNotServedByAServiceThatOthersUse(String setting, String value) {
    assertThat(
            refusal(
                "keywell.trial-files=/files",
                "keywell.log.origin=log.example/keywell",
                setting + "=" + value))
        .startsWith("keywell.trial-files is only for measurements on this machine")
        .endsWith(setting);
  }

  @ParameterizedTest
  @ValueSource(strings = {"files", "../files"})
  void trialFilesHaveAnAbsolutePath(String path) {
    assertThat(refusal("keywell.trial-files=" + path)).contains("expected an absolute path");
    assertThat(bind().trialFiles()).isNull();
  }

  @Test
  void aTokenKeepsKeywellsKeysAndThoseThatOperatorsKnow() {
    assertThat(
            bindEnvironment(
                    Map.of(
                        "KEYWELL_HSM_KNOWNTOKENKEYS", "former-ca",
                        "KEYWELL_SERVERKEY_LABEL", "web",
                        "KEYWELL_SERVERKEY_BUNDLES", "service"))
                .tokenKeys())
        .hasSize(10 + 3 * 98)
        .contains(
            "former-ca",
            "keywell-root",
            "keywell-root~99",
            "keywell-issuing",
            "keywell-issuing~2",
            "keywell-log",
            "keywell-log-ed25519",
            "keywell-managed",
            "keywell-witness",
            "keywell-tsa",
            "keywell-ocsp",
            "keywell-ocsp~3",
            "web");
  }
}
