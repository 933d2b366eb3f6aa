package org.keywell.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.deploy.Deployment.ROOT;
import static org.keywell.deploy.Deployment.at;
import static org.keywell.deploy.Deployment.list;
import static org.keywell.deploy.Deployment.map;
import static org.keywell.deploy.Deployment.strings;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docker-compose.yml promises, held on machines without Docker, too. */
class ComposeFileTest {

  private static final Map<?, ?> COMPOSE = Deployment.yaml("docker-compose.yml");
  private static final Map<?, ?> SERVICES = map(COMPOSE.get("services"));
  private static final Map<?, ?> PROMETHEUS = Deployment.yaml("ops/compose/prometheus.yml");

  /** A whole version, so that two people on two days run the same. */
  private static final String PINNED =
      "[a-z/]+:v?\\d+\\.\\d+(\\.\\d+)?(-[a-z]+)?(@sha256:[0-9a-f]{64})?";

  private static final Pattern MOUNTED = Pattern.compile("/run/secrets/([\\w-]+)");

  static Stream<String> containers() {
    return SERVICES.keySet().stream().map(Object::toString);
  }

  private static Map<?, ?> container(String name) {
    return map(SERVICES.get(name));
  }

  private static Map<?, ?> environment(String name) {
    Object environment = container(name).get("environment");
    return environment == null ? Map.of() : map(environment);
  }

  private static Stream<String> containersIn(String network) {
    return containers().filter(name -> list(container(name).get("networks")).contains(network));
  }

  @Test
  void whatRunsAndWhatWatchesItIsThere() {
    assertThat(containers())
        .containsExactlyInAnyOrder(
            "bootstrap", "service", "database", "prometheus", "alertmanager", "grafana");
  }

  @ParameterizedTest
  @MethodSource("containers")
  void portsAreOpenToThisHostOnly(String name) {
    assertThat(strings(container(name).get("ports")))
        .allSatisfy(port -> assertThat(port).startsWith("127.0.0.1:"));
    assertThat(container(name).get("network_mode")).isIn(null, "none");
  }

  @ParameterizedTest
  @MethodSource("containers")
  void imagesArePinned(String name) {
    assertThat(String.valueOf(container(name).get("image"))).matches(PINNED);
  }

  @ParameterizedTest
  @MethodSource("containers")
  void containersCanDoLittle(String name) {
    Map<?, ?> container = container(name);

    assertThat(container.get("read_only")).isEqualTo(true);
    assertThat(strings(container.get("cap_drop"))).containsExactly("ALL");
    assertThat(strings(container.get("security_opt"))).containsExactly("no-new-privileges:true");
    assertThat(String.valueOf(container.get("user"))).matches("[1-9]\\d*:\\d+");
    assertThat(container.keySet().stream().map(Object::toString))
        .doesNotContain("privileged", "cap_add", "devices", "pid", "ipc", "userns_mode", "uts");
  }

  @ParameterizedTest
  @MethodSource("containers")
  void containersHaveLimits(String name) {
    Map<?, ?> limits = map(at(container(name), "deploy", "resources", "limits"));

    assertThat(String.valueOf(limits.get("memory"))).matches("\\d+[mg]");
    assertThat(limits.get("pids")).isInstanceOf(Integer.class);
    assertThat(at(container(name), "logging", "options", "max-size")).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("containers")
  void containersTellWhetherTheyWork(String name) throws IOException {
    if (container(name).containsKey("build")) {
      assertThat(Files.readAllLines(ROOT.resolve("Dockerfile")))
          .anyMatch(line -> line.startsWith("HEALTHCHECK --"));
    } else {
      assertThat(strings(at(container(name), "healthcheck", "test"))).startsWith("CMD");
    }
  }

  @ParameterizedTest
  @MethodSource("containers")
  void whatIsMountedIsAVolumeOrAFileOfOursToRead(String name) {
    strings(container(name).get("volumes"))
        .forEach(mount -> {
          String source = mount.substring(0, mount.indexOf(':'));
          if (source.startsWith("./ops/")) {
            assertThat(mount).endsWith(":ro");
            assertThat(ROOT.resolve(source)).exists();
          } else {
            assertThat(map(COMPOSE.get("volumes")).containsKey(source)).as(source).isTrue();
          }
        });
  }

  @Test
  void theServiceListensBeyondLoopbackOnlyForCallersWithCertificates() {
    Map<?, ?> environment = environment("service");

    assertThat(environment.get("SERVER_ADDRESS")).isEqualTo("0.0.0.0");
    assertThat(environment.get("SERVER_SSL_CLIENTAUTH")).isEqualTo("need");
    assertThat(environment.get("SERVER_SSL_BUNDLE")).isEqualTo("keywell");
    assertThat(environment.get("MANAGEMENT_SERVER_ADDRESS")).isEqualTo("0.0.0.0");
    assertThat(environment.get("MANAGEMENT_SERVER_SSL_CLIENTAUTH")).isEqualTo("need");
    assertThat(environment.get("MANAGEMENT_SERVER_SSL_BUNDLE")).isEqualTo("management");
  }

  @Test
  void itSaysWhoMayCall() {
    assertThat(fileOf(environment("service").get("KEYWELL_SECURITY_CALLERSFILE")))
        .isEqualTo("./secrets/callers.yaml");
  }

  @Test
  void whoeverReadsMetricsCannotSign() {
    String trust = "SPRING_SSL_BUNDLE_PEM_%s_TRUSTSTORE_CERTIFICATE";
    Map<?, ?> environment = environment("service");

    assertThat(fileOf(environment.get(trust.formatted("KEYWELL")))).isEqualTo("./secrets/ca.crt");
    assertThat(fileOf(environment.get(trust.formatted("MANAGEMENT"))))
        .isEqualTo("./secrets/monitoring-ca.crt");
  }

  private static @Nullable Object fileOf(@Nullable Object mounted) {
    String secret =
        MOUNTED.matcher(String.valueOf(mounted)).results().findFirst().orElseThrow().group(1);
    return at(COMPOSE, "secrets", secret, "file");
  }

  @Test
  void theDatabaseIsForTheServiceAloneAndItsMetricsAreForPrometheusAlone() {
    assertThat(at(COMPOSE, "networks", "database", "internal")).isEqualTo(true);
    assertThat(at(COMPOSE, "networks", "metrics", "internal")).isEqualTo(true);
    assertThat(containersIn("database")).containsExactlyInAnyOrder("service", "database");
    assertThat(containersIn("metrics")).containsExactlyInAnyOrder("service", "prometheus");
    assertThat(containersIn("callers")).containsExactly("service");
    assertThat(strings(container("database").get("networks"))).containsExactly("database");
    assertThat(container("database").containsKey("ports")).isFalse();
  }

  @Test
  void secretsAreFilesAndNotInEnvironments() {
    containers()
        .flatMap(name -> environment(name).entrySet().stream())
        .filter(entry -> entry.getKey().toString().matches(".*(PASSWORD|PINFILE|_PIN$|KEY$).*"))
        .forEach(entry ->
            assertThat(entry.getValue().toString())
                .as(entry.getKey().toString())
                .containsPattern(MOUNTED));
    for (Object secret : map(COMPOSE.get("secrets")).values()) {
      assertThat(String.valueOf(map(secret).get("file"))).startsWith("./secrets/");
    }
  }

  @Test
  void secretsAreDeclaredAndUsed() {
    Set<String> used = new HashSet<>();
    containers().forEach(name -> strings(container(name).get("secrets")).forEach(used::add));

    assertThat(used).isEqualTo(map(COMPOSE.get("secrets")).keySet());
  }

  @ParameterizedTest
  @MethodSource("containers")
  void everySecretThatIsReadIsMounted(String name) {
    String readers = environment(name) + (name.equals("prometheus") ? PROMETHEUS.toString() : "");

    MOUNTED
        .matcher(readers)
        .results()
        .forEach(secret ->
            assertThat(strings(container(name).get("secrets"))).contains(secret.group(1)));
  }

  @Test
  void theSecurityOfficersPinIsForTheBootstrapAloneWhichEnds() {
    assertThat(containers())
        .filteredOn(name ->
            strings(container(name).get("secrets")).anyMatch("hsm-so-pin"::equals)
                || environment(name).containsKey("KEYWELL_HSM_SOPINFILE"))
        .containsExactly("bootstrap");
    assertThat(list(container("bootstrap").get("command"))).hasToString("[bootstrap]");
    assertThat(container("bootstrap").get("restart")).isEqualTo("no");
    assertThat(container("bootstrap").get("image")).isEqualTo(container("service").get("image"));
    assertThat(environment("service").containsKey("KEYWELL_HSM_BOOTSTRAP")).isFalse();
    assertThat(at(container("service"), "depends_on", "bootstrap", "condition"))
        .isEqualTo("service_completed_successfully");
  }

  @Test
  void theServiceWaitsForAHealthyDatabase() {
    assertThat(at(container("service"), "depends_on", "database", "condition"))
        .isEqualTo("service_healthy");
  }

  @Test
  void grafanaAsksForAPasswordAndTellsNobody() {
    Map<?, ?> environment = environment("grafana");

    assertThat(environment.get("GF_AUTH_ANONYMOUS_ENABLED")).isEqualTo("false");
    assertThat(environment.get("GF_USERS_ALLOW_SIGN_UP")).isEqualTo("false");
    assertThat(environment.get("GF_ANALYTICS_REPORTING_ENABLED")).isEqualTo("false");
  }

  @Test
  void prometheusWorksAsWithoutDockerButShowsACertificate() {
    Map<?, ?> plain = Deployment.yaml("ops/prometheus/prometheus.yml");

    assertThat(PROMETHEUS.get("global")).isEqualTo(plain.get("global"));
    assertThat(PROMETHEUS.get("rule_files")).isEqualTo(plain.get("rule_files"));
    assertThat(list(PROMETHEUS.get("scrape_configs")))
        .hasSameSizeAs(list(plain.get("scrape_configs")));
    Map<?, ?> job = map(list(PROMETHEUS.get("scrape_configs")).getFirst());
    Map<?, ?> plainJob = map(list(plain.get("scrape_configs")).getFirst());
    assertThat(job.get("job_name")).isEqualTo(plainJob.get("job_name"));
    assertThat(job.get("metrics_path")).isEqualTo(plainJob.get("metrics_path"));
    assertThat(job.get("scheme")).isEqualTo("https");
    assertThat(map(list(job.get("static_configs")).getFirst()).get("targets"))
        .hasToString(
            "[service:%s]".formatted(environment("service").get("MANAGEMENT_SERVER_PORT")));
  }

  @Test
  void secretsStayOutOfGitAndOutOfTheImage() throws IOException {
    assertThat(Files.readAllLines(ROOT.resolve(".gitignore"))).contains("/secrets/");
    assertThat(Files.readAllLines(ROOT.resolve(".dockerignore")))
        .contains("*")
        .noneMatch(line -> line.startsWith("!secrets"));
  }
}
