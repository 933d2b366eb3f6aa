package org.keywell.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertiesPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

final class TrialTest {

  private static final String ALL = "kmip xks jms";

  private static StandardEnvironment environment(String doors, PropertySource<?>... settings) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().remove("systemEnvironment");
    environment.getPropertySources().remove("systemProperties");
    Stream.of(settings).forEach(environment.getPropertySources()::addLast);
    environment
        .getPropertySources()
        .addLast(
            new SystemEnvironmentPropertySource(
                "launcher-systemEnvironment", Map.of(Trial.DOORS, doors, "KEYWELL_HOME", "/home")));
    ConfigurationPropertySources.attach(environment);
    new Trial().postProcessEnvironment(environment, new SpringApplication());
    return environment;
  }

  private static PropertySource<?> yaml(String text) throws Exception {
    return new YamlPropertySourceLoader()
        .load("yaml", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
        .getFirst();
  }

  @ParameterizedTest
  @CsvSource({
    "kmip, /home/certs/callers.yaml",
    "xks,",
    "jms, /home/jms/callers.yaml",
    "kmip xks, /home/certs/callers.yaml",
    "kmip jms, /home/certs/callers.yaml",
    "xks jms, /home/jms/callers.yaml",
    "kmip xks jms, /home/certs/callers.yaml"
  })
  void eachDoorGetsWhatItNeeds(String doors, String callers) {
    StandardEnvironment environment = environment(doors);

    assertThat(environment.getProperty(Trial.CALLERS)).isEqualTo(callers);
    assertThat(environment.containsProperty(Trial.KMIP_BUNDLE)).isEqualTo(doors.contains("kmip"));
    assertThat(environment.containsProperty("keywell.security.revocation.crl-file"))
        .isEqualTo(doors.contains("kmip"));
    assertThat(environment.containsProperty(Trial.XKS_BUNDLE)).isEqualTo(doors.contains("xks"));
    assertThat(environment.containsProperty(Trial.XKS_CREDENTIALS))
        .isEqualTo(doors.contains("xks"));
    assertThat(environment.containsProperty(Trial.JMS_EMBEDDED)).isEqualTo(doors.contains("jms"));
  }

  static Stream<PropertySource<?>> sources() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("keywell.security.callersFile", "/mine");
    properties.setProperty("keywell.kmip.bundle", "mine");
    properties.setProperty("keywell.xks.bundle", "mine");
    properties.setProperty("keywell.xks.credentials_file", "/mine");
    properties.setProperty("keywell.jms.brokers[0]", "mine:1");
    properties.setProperty("keywell.security.revocation.ocsp", "true");
    return Stream.of(
        new PropertiesPropertySource("application.properties", properties),
        yaml(
            """
            keywell:
              security: {callers-file: /mine, revocation: {crl-file: /mine}}
              kmip: {bundle: mine}
              xks: {bundle: mine, credentialsFile: /mine}
              jms: {brokers: ["mine:1"]}
            """),
        new SystemEnvironmentPropertySource(
            "operator-systemEnvironment",
            Map.of(
                "KEYWELL_SECURITY_CALLERSFILE",
                "/mine",
                "KEYWELL_KMIP_BUNDLE",
                "mine",
                "KEYWELL_XKS_BUNDLE",
                "mine",
                "KEYWELL_XKS_CREDENTIALSFILE",
                "/mine",
                "KEYWELL_JMS_BROKERS_0",
                "mine:1")),
        commandLine());
  }

  private static CommandLinePropertySource<?> commandLine() {
    return new SimpleCommandLinePropertySource(
        "--keywell.security.callers-file=/mine",
        "--keywell.kmip.bundle=mine",
        "--keywell.xks.bundle=mine",
        "--keywell.xks.credentials-file=/mine",
        "--keywell.jms.username=mine");
  }

  @ParameterizedTest
  @MethodSource("sources")
  void anOperatorsSettingsAreLeftWhereverTheyAre(PropertySource<?> settings) {
    StandardEnvironment environment = environment(ALL, settings);

    assertThat(environment.getPropertySources().get(Trial.SOURCE))
        .isInstanceOfSatisfying(
            MapPropertySource.class, trial -> assertThat(trial.getSource()).isEmpty());
  }

  @Test
  void partsOfAnOperatorsBundleAreNotCompleted() {
    StandardEnvironment environment =
        environment(
            "kmip",
            new MapPropertySource(
                "mine", Map.of("spring.ssl.bundle.pem.keywell.truststore.certificate", "mine")));

    assertThat(environment.getProperty(Trial.KMIP_BUNDLE)).isEqualTo("keywell-development");
    assertThat(environment.containsProperty("spring.ssl.bundle.pem.keywell.keystore.certificate"))
        .isFalse();
  }

  /** Its clients would be callers by the development callers' names, or refused by its list. */
  @ParameterizedTest
  @CsvSource({"server.ssl.client-auth", "management.server.ssl.client-auth"})
  void aPortThatAsksForCertificatesGetsNoDevelopmentCallers(String setting) {
    StandardEnvironment environment =
        environment(ALL, new MapPropertySource("mine", Map.of(setting, "need")));

    assertThat(environment.containsProperty(Trial.CALLERS)).isFalse();
    assertThat(environment.containsProperty("keywell.security.revocation.crl-file")).isFalse();
  }

  @Test
  void anOperatorsListOfRevokedCertificatesStays() {
    StandardEnvironment environment =
        environment(
            "kmip",
            new MapPropertySource("mine", Map.of("keywell.security.revocation.crl-file", "/mine")));

    assertThat(environment.getProperty("keywell.security.revocation.crl-file")).isEqualTo("/mine");
    assertThat(environment.getProperty(Trial.CALLERS)).isEqualTo("/home/certs/callers.yaml");
  }
}
