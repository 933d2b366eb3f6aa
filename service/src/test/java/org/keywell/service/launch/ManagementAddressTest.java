package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

final class ManagementAddressTest {

  private static final String PORT = "management.server.port";
  private static final String ADDRESS = "management.server.address";
  private static final String TLS = "management.server.ssl.enabled";

  private static ConfigurableEnvironment with(Map<String, Object> settings) {
    ConfigurableEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", settings));
    new ManagementAddress().postProcessEnvironment(environment, new SpringApplication());
    return environment;
  }

  @Test
  void isThePortAfterTheServicesOnLoopbackWithoutTls() {
    ConfigurableEnvironment environment =
        with(Map.of("server.port", "8420", "server.address", "0.0.0.0", "server.ssl.bundle", "x"));

    assertThat(environment.getProperty(PORT)).isEqualTo("8421");
    assertThat(environment.getProperty(ADDRESS)).isEqualTo("127.0.0.1");
    assertThat(environment.getProperty(TLS)).isEqualTo("false");
  }

  @Test
  void aFreePortForOneMeansAFreePortForTheOther() {
    assertThat(with(Map.of("server.port", "0")).getProperty(PORT)).isEqualTo("0");
  }

  @Test
  void whatIsConfiguredStays() {
    ConfigurableEnvironment environment =
        with(
            Map.of(
                "server.port",
                "8420",
                PORT,
                "9000",
                ADDRESS,
                "10.0.0.1",
                "management.server.ssl.bundle",
                "x"));

    assertThat(environment.getProperty(PORT)).isEqualTo("9000");
    assertThat(environment.getProperty(ADDRESS)).isEqualTo("10.0.0.1");
    assertThat(environment.containsProperty(TLS)).isFalse();
  }

  @Test
  void theServicesOwnPortMayServeBoth() {
    ConfigurableEnvironment environment = with(Map.of("server.port", "8420", PORT, "8420"));

    assertThat(environment.containsProperty(ADDRESS)).isFalse();
    assertThat(environment.containsProperty(TLS)).isFalse();
  }

  @Test
  void aPortThatCannotBeIsNamed() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> with(Map.of("server.port", "65535")))
        .withMessageContaining("server.port")
        .withMessageContaining(PORT);
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> with(Map.of(PORT, "eighty")))
        .withMessage(PORT + " is 'eighty', no port");
  }
}
