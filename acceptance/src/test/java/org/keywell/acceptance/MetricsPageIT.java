package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ArtemisBroker;
import org.keywell.acceptance.running.KmipConnection;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.acceptance.running.XksClient;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.kmip.KmipDoor;
import org.keywell.service.xks.XksDoor;
import org.keywell.testkit.Await;
import org.keywell.testkit.Scrape;
import org.keywell.testkit.TlsAuthority;

/**
 * docs/METRICS.md and a scrape of the service name the same metrics, types, labels and values, and
 * Prometheus' own tool accepts names, units and help of the whole scrape.
 */
final class MetricsPageIT {

  private static final Path PAGE = Path.of("../docs/METRICS.md");
  private static final Pattern ROW =
      Pattern.compile("\\| `(keywell_\\w+)` \\| (\\w+) \\|([^|]*) \\| [^|]+ \\| .+ \\|");
  private static final Pattern LABEL = Pattern.compile("`(\\w+)`(?: \\(([^)]*)\\))?");

  /** Micrometer's names, which dashboards of others use as they are. */
  private static final Pattern LEFT_AS_THEY_ARE =
      Pattern.compile(
          "(jvm_compilation_time_ms_total|process_cpu_time_ns_total|system_cpu_count) .*");

  /** Of three-tiered chains only. */
  private static final String UNSEEN = "certificate=intermediate";

  @TempDir Path home;
  private TlsAuthority authority;

  /**
   * A metric as the page or the scrape has it.
   *
   * @param values {@code label=value} of the labels whose values the page lists
   */
  private record Family(String type, Set<String> labels, Set<String> values) {}

  @BeforeEach
  void certify() throws Exception {
    authority = TlsAuthority.create(Files.createDirectory(home.resolve("tls")), "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("client", "extendedKeyUsage=clientAuth");
  }

  private Map<String, String> otherWaysIn() throws Exception {
    // No broker is at this port, which metrics tell, too.
    Map<String, String> settings = new HashMap<>(ArtemisBroker.settings(1, home));
    settings.putAll(authority.serverSettings());
    settings.keySet().removeIf(name -> name.startsWith("server.ssl."));
    settings.put("keywell.kmip.enabled", "true");
    settings.put("keywell.kmip.port", "0");
    settings.put("keywell.kmip.bundle", "service");
    settings.put("keywell.tsa.enabled", "true");
    settings.put("keywell.ca.crl.uri", "http://crl.example.org/");
    settings.put("keywell.ca.ocsp.uri", "http://ocsp.example.org/");
    settings.put("keywell.xks.enabled", "true");
    settings.put("keywell.xks.port", "0");
    settings.put("keywell.xks.bundle", "service");
    settings.put("keywell.xks.credentials-file", XksClient.credentials(home).toString());
    Files.writeString(
        home.resolve("tls/callers.yaml"),
        "callers: [{name: client, certificate: {subject: CN=client}, roles: [manage]}]");
    return settings;
  }

  private void askOverKmip(String address) throws IOException {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    try (KmipConnection client = new KmipConnection(authority.context("client"), port)) {
      assertThat(client.ask("DiscoverVersions")).contains("Success");
    }
  }

  private void askOverXks(String url) throws Exception {
    try (XksClient client = new XksClient(authority.context(null), URI.create(url))) {
      assertThat(client.health().status()).isEqualTo(200);
    }
  }

  @Test
  void pageAndServiceAgree() throws Exception {
    NavigableMap<String, Family> page = page();
    assertThat(page).as("the page was read").hasSizeGreaterThan(50);

    NavigableMap<String, Family> scraped = new TreeMap<>();
    String text;
    try (Site site = Site.create(home)) {
      site.stock(KeySpec.EC_P256, 3);
      Map<String, String> settings = otherWaysIn();
      // Makes the index that OCSP needs.
      settings.put("keywell.database.owner.username", site.database().asOwner().username());
      settings.put("keywell.database.owner.password", site.database().asOwner().password());
      try (RunningKeywell keywell =
          RunningKeywell.start(site.settings(Settings.pool(KeySpec.EC_P256, 3), settings))) {
        keywell.awaitLoaded(KeySpec.EC_P256, 3);
        SignBody body = SignBody.of("document").keySpec(KeySpec.EC_P256);
        assertThat(keywell.http().sign(body).status()).isEqualTo(200);
        assertThat(keywell.http().get("/nowhere").status()).isEqualTo(404);
        Await.until(
            "the outcome is counted", () -> keywell.scrape().value("keywell_sign_total") == 1);
        askOverKmip(keywell.part(KmipDoor.class).address());
        askOverXks(keywell.part(XksDoor.class).url());
        text = keywell.management().text("/actuator/prometheus");
        read(Scrape.parse(text), page, scraped);
      }
    }

    assertThat(scraped.keySet()).as("names").containsExactlyElementsOf(page.keySet());
    page.forEach((name, family) -> assertThat(scraped.get(name)).as(name).isEqualTo(family));
    assertThat(promtool(text))
        .as("complaints of promtool")
        .allMatch(line -> LEFT_AS_THEY_ARE.matcher(line).matches());
  }

  /** What {@code promtool check metrics}, on the path, says; its absence fails the test. */
  private static List<String> promtool(String scrape) throws IOException {
    Process process =
        new ProcessBuilder("promtool", "check", "metrics").redirectErrorStream(true).start();
    try (Writer input = process.outputWriter(StandardCharsets.UTF_8)) {
      input.write(scrape);
    }
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      return output.lines().toList();
    }
  }

  private static NavigableMap<String, Family> page() throws Exception {
    NavigableMap<String, Family> page = new TreeMap<>();
    try (Stream<String> lines = Files.lines(PAGE)) {
      lines
          .filter(line -> line.startsWith("| `keywell_") && !line.contains("| `SELECT"))
          .forEach(line -> {
            Matcher row = ROW.matcher(line);
            assertThat(row.matches()).as("a row of five columns: %s", line).isTrue();
            Set<String> labels = new TreeSet<>();
            Set<String> values = new TreeSet<>();
            Matcher label = LABEL.matcher(row.group(3));
            while (label.find()) {
              String name = label.group(1);
              labels.add(name);
              if (label.group(2) != null) {
                Stream.of(label.group(2).split(", ", -1))
                    .map(value -> name + "=" + value)
                    .filter(value -> !value.equals(UNSEEN))
                    .forEach(values::add);
              }
            }
            page.put(row.group(1), new Family(row.group(2), labels, values));
          });
    }
    return page;
  }

  private static void read(
      Scrape scrape, Map<String, Family> page, NavigableMap<String, Family> scraped) {
    scrape
        .types()
        .forEach((name, type) -> {
          // The page tells of the largest values once, for all histograms.
          boolean isMaximum =
              name.endsWith("_max")
                  && "histogram".equals(scrape.types().get(name.replaceAll("_max$", "")));
          if (name.startsWith("keywell_") && !isMaximum) {
            scraped.put(name, family(name, type, scrape, page.get(name)));
          }
        });
  }

  private static Family family(String name, String type, Scrape scrape, @Nullable Family onPage) {
    Set<String> labels = new TreeSet<>();
    Set<String> values = new TreeSet<>();
    for (Scrape.Sample sample : scrape.samples()) {
      boolean belongs =
          type.equals("histogram")
              ? sample.name().matches(name + "_(bucket|count|sum)")
              : sample.name().equals(name);
      if (belongs) {
        sample
            .labels()
            .forEach((label, value) -> {
              if (!label.equals("le")) {
                labels.add(label);
                if (onPage != null
                    && onPage.values().stream().anyMatch(v -> v.startsWith(label + "="))) {
                  values.add(label + "=" + value);
                }
              }
            });
      }
    }
    return new Family(type, labels, values);
  }
}
