package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Browser;
import org.keywell.acceptance.running.BrowserCertificate;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.cli.KeywellCommand;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.loadgen.cli.LoadCommand;
import org.keywell.testkit.Await;
import picocli.CommandLine;

/**
 * What {@code ./keywell certs} makes, used as its help says: by the service, its clients, a
 * browser.
 */
final class DevelopmentCertificatesIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;

  /** The settings that the command writes as variables. */
  private static final List<String> PROPERTIES =
      List.of(
          "server.port",
          "server.ssl.bundle",
          "server.ssl.client-auth",
          "spring.ssl.bundle.pem.keywell.reload-on-update",
          "spring.ssl.bundle.pem.keywell.keystore.certificate",
          "spring.ssl.bundle.pem.keywell.keystore.private-key",
          "spring.ssl.bundle.pem.keywell.keystore.verify-keys",
          "spring.ssl.bundle.pem.keywell.truststore.certificate",
          "keywell.security.callers-file",
          "keywell.security.revocation.crl-file",
          "keywell.kmip.bundle");

  @TempDir Path home;

  private final StringWriter out = new StringWriter();

  @Test
  void serviceClientsAndConsoleWorkWithThem() throws Exception {
    Path certs = home.resolve("my certs");
    keywell("certs", certs.toString());
    try (Site site = Site.create(Files.createDirectory(home.resolve("site")))) {
      site.stock(SPEC, 30);
      try (RunningKeywell keywell =
          RunningKeywell.start(
              site.settings(
                  Settings.pool(SPEC, 30),
                  settings(certs.resolve("keywell.env")),
                  Map.of("server.port", "0")))) {
        String origin = "https://localhost:" + keywell.port();
        Path file = Files.writeString(home.resolve("document"), "to be signed");
        assertThat(client("signer", certs, origin, "sign", file.toString(), "--key-spec=EC-P256"))
            .as(out.toString())
            .isZero();
        assertThat(client("signer", certs, origin, "status")).as("without the role").isNotZero();
        assertThat(out.toString()).contains("role-missing");
        assertThat(client("operator", certs, origin, "status")).as(out.toString()).isZero();
        assertThat(load(certs, origin)).as(out.toString()).isZero();

        showConsoleUntilItsCallerIsRevoked(certs, origin);
        assertThat(client("operator", certs, origin, "status")).isNotZero();
        assertThat(out.toString()).contains("certificate-revoked");
      }
    }
  }

  private void showConsoleUntilItsCallerIsRevoked(Path certs, String origin) throws Exception {
    BrowserCertificate own =
        BrowserCertificate.imported(
            Files.createDirectory(home.resolve("user")),
            origin,
            certs.resolve("ca.crt"),
            certs.resolve("operator.p12"),
            "keywell");
    try (Browser browser = Browser.start(Files.createDirectory(home.resolve("profile")), own)) {
      browser.open(origin + "/console");
      Await.until("the page is live", () -> browser.text("#connection").startsWith("Live"));

      keywell("certs", certs.toString(), "--revoke", "operator");
      Await.until(
          "the page is refused",
          () -> {
            browser.open(origin + "/console");
            return browser.text("body").contains("urn:keywell:problem:certificate-revoked");
          });
    }
  }

  private int load(Path certs, String origin) throws Exception {
    Path ramp =
        Files.writeString(
            home.resolve("ramp.csv"),
            "from_request,to_request,delay_ms,requests_per_second\n1,10,50,20\n");
    return execute(
        LoadCommand.commandLine(),
        options(
            "operator",
            certs,
            origin,
            "ramp",
            "--csv=" + ramp,
            "--key-spec=EC-P256",
            "--anyway",
            "--out=" + home.resolve("report")));
  }

  private int client(String caller, Path certs, String origin, String... command) {
    return execute(KeywellCommand.commandLine(), options(caller, certs, origin, command));
  }

  private int execute(CommandLine command, List<String> arguments) {
    PrintWriter writer = new PrintWriter(out, true);
    return command.setOut(writer).setErr(writer).execute(arguments.toArray(String[]::new));
  }

  private static List<String> options(String caller, Path certs, String origin, String... command) {
    List<String> all = new ArrayList<>(List.of(command));
    all.add("--url=" + origin);
    all.add("--tls-ca=" + certs.resolve("ca.crt"));
    all.add("--tls-cert=" + certs.resolve(caller + ".crt"));
    all.add("--tls-key=" + certs.resolve(caller + ".key"));
    return all;
  }

  /** Each variable is a setting, under the name that Spring Boot gives it in the environment. */
  private static Map<String, String> settings(Path variables) throws Exception {
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : Files.readAllLines(variables)) {
      if (!line.startsWith("#")) {
        int equals = line.indexOf('=');
        values.put(line.substring(0, equals), line.substring(equals + 2, line.length() - 1));
      }
    }
    Map<String, String> settings = new LinkedHashMap<>();
    for (String property : PROPERTIES) {
      String variable = property.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
      settings.put(property, Objects.requireNonNull(values.remove(variable), variable));
    }
    assertThat(values).as("other variables").isEmpty();
    return settings;
  }

  private void keywell(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of("..", "keywell").toRealPath().toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KEYWELL_HOME", home.resolve("launcher").toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(told).isZero();
  }
}
