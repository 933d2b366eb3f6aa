package org.keywell.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** What docker-compose.yml promises, held on machines without Docker, too. */
class ComposeFileTest {
  private static Map<?, ?> compose = Map.of();
  private static Map<?, ?> services = Map.of();

  @BeforeAll
  static void read() throws IOException {
    String text = Files.readString(Path.of("..", "docker-compose.yml"));
    compose = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    services = map(compose.get("services"));
  }

  private static Map<?, ?> map(@Nullable Object node) {
    assertThat(node).isInstanceOf(Map.class);
    return (Map<?, ?>) Objects.requireNonNull(node);
  }

  private static List<?> list(@Nullable Object node) {
    return node == null ? List.of() : (List<?>) node;
  }

  private static Map<?, ?> environment(String service) {
    return map(map(services.get(service)).get("environment"));
  }

  @Test
  void portsAreOpenToThisHostOnly() {
    services.values().stream()
        .flatMap(service -> list(map(service).get("ports")).stream())
        .forEach(port -> assertThat(port.toString()).startsWith("127.0.0.1:"));
  }

  @Test
  void theServiceListensBeyondLoopbackOnlyForCallersWithCertificates() {
    Map<?, ?> environment = environment("service");

    assertThat(environment.get("SERVER_ADDRESS")).isEqualTo("0.0.0.0");
    assertThat(environment.get("SERVER_SSL_CLIENTAUTH")).isEqualTo("need");
    assertThat(environment.get("SERVER_SSL_BUNDLE")).isEqualTo("keywell");
  }

  @Test
  void secretsAreFilesAndNotInEnvironments() {
    for (Object name : services.keySet()) {
      environment(name.toString())
          .forEach((key, value) -> {
            if (key.toString().matches(".*(PASSWORD|PIN|PRIVATEKEY).*")) {
              assertThat(value.toString()).as(key.toString()).contains("/run/secrets/");
            }
          });
    }
    for (Object secret : map(compose.get("secrets")).values()) {
      assertThat(String.valueOf(map(secret).get("file"))).startsWith("./secrets/");
    }
  }

  @Test
  void secretsAreDeclaredAndUsed() {
    Set<Object> used = new HashSet<>();
    services.values().forEach(service -> used.addAll(list(map(service).get("secrets"))));

    assertThat(used).isEqualTo(map(compose.get("secrets")).keySet());
  }

  @Test
  void everySecretThatIsReadIsMounted() {
    for (Object name : services.keySet()) {
      List<?> mounted = list(map(services.get(name)).get("secrets"));
      for (Object value : environment(name.toString()).values()) {
        String text = value.toString();
        int at = text.indexOf("/run/secrets/");
        if (at >= 0) {
          String secret = text.substring(at + "/run/secrets/".length());
          assertThat(mounted.stream().map(Object::toString)).contains(secret);
        }
      }
    }
  }

  @Test
  void theServiceWaitsForAHealthyDatabase() {
    Map<?, ?> dependency = map(map(map(services.get("service")).get("depends_on")).get("database"));

    assertThat(dependency.get("condition")).isEqualTo("service_healthy");
    assertThat(map(services.get("database")).get("healthcheck")).isNotNull();
    assertThat(Path.of("..", "Dockerfile")).content().contains("HEALTHCHECK");
  }

  @Test
  void dataIsInNamedVolumes() {
    for (Object service : services.values()) {
      for (Object mount : list(map(service).get("volumes"))) {
        String volume = mount.toString().substring(0, mount.toString().indexOf(':'));
        assertThat(map(compose.get("volumes")).containsKey(volume)).as(volume).isTrue();
      }
    }
  }

  @Test
  void secretsStayOutOfGitAndOutOfTheImage() throws IOException {
    assertThat(Files.readAllLines(Path.of("..", ".gitignore"))).contains("/secrets/");
    assertThat(Files.readAllLines(Path.of("..", ".dockerignore")))
        .contains("*")
        .noneMatch(line -> line.startsWith("!secrets"));
  }
}
