package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;

/** A start that cannot succeed ends with exit code 2 and one line that says what to change. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class StartRefusalIT {

  /** What may come before the line: the log of what went well. */
  private static final Pattern LOGGED = Pattern.compile("\\d{4}-\\S+ INFO .*");

  private final AtomicInteger starts = new AtomicInteger();
  private Path home;
  private Site site;
  private RunningKeywell running;
  private ServerSocket taken;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    home = directory;
    site = Site.create(directory);
    site.stock(KeySpec.EC_P256, 5);
    running = RunningKeywell.start(site.settings());
    taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterAll
  void stop() throws IOException {
    taken.close();
    running.close();
    site.close();
  }

  /**
   * @param expected parts of the line
   */
  private record Case(
      String name, Map<String, String> settings, List<String> command, List<String> expected) {}

  @TestFactory
  Stream<DynamicTest> refusals() throws Exception {
    List<Case> cases = new ArrayList<>();
    cases.addAll(wrongUse());
    cases.addAll(wrongSettings());
    cases.addAll(wrongSurroundings());
    // Two at a time: most of a case is the start of a JVM.
    ExecutorService threads = Executors.newFixedThreadPool(2);
    List<DynamicTest> tests = new ArrayList<>();
    for (Case one : cases) {
      Future<String> output = threads.submit(() -> runToRefusal(one));
      tests.add(DynamicTest.dynamicTest(one.name(), () -> assertOneLine(one, output.get())));
    }
    threads.shutdown();
    return tests.stream();
  }

  @Test
  void aPortInUseCostsNoKey() throws Exception {
    Case one =
        new Case(
            "port",
            with(
                "server.port",
                Integer.toString(taken.getLocalPort()),
                "keywell.pool.specs.EC-P256.max-stored",
                "0",
                "keywell.pool.specs.EC-P256.loaded-capacity",
                "5",
                "keywell.pool.specs.EC-P256.low-water",
                "5"),
            List.of("serve"),
            List.of("port " + taken.getLocalPort() + " cannot be used", "in use"));
    assertOneLine(one, runToRefusal(one));
    assertThat(site.sql().count("SELECT count(*) FROM pool_key")).isEqualTo(5);
    assertThat(site.sql().count("SELECT count(*) FROM claimed_key")).isZero();
  }

  /**
   * That one start is one login attempt, the binding's own tests count at {@code C_Login}; here,
   * the start ends with the first.
   */
  @Test
  void aWrongPinEndsTheStartAndIsNotShown() throws Exception {
    for (String bootstrap : List.of("never", "if-missing")) {
      SoftHsmToken token = SoftHsmToken.create();
      String wrong = "wrong-pin-5417";
      Case one =
          new Case(
              "PIN",
              with(
                  "keywell.hsm.token-label",
                  token.config().tokenLabel(),
                  "keywell.hsm.pin-file",
                  privateFile("wrong-pin-" + bootstrap, wrong).toString(),
                  "keywell.hsm.bootstrap",
                  bootstrap),
              List.of("serve"),
              List.of("C_Login", "CKR_PIN_INCORRECT"));
      String output = runToRefusal(one);
      assertOneLine(one, output);
      assertThat(output).doesNotContain(wrong).doesNotContain("bootstrap created");
    }
  }

  /** The start makes what the emptied token lacks, and must not pass over what is lost. */
  @Test
  void anEmptiedTokenIsRefused() throws Exception {
    SoftHsmToken empty = SoftHsmToken.createWithoutWrappingKey();
    String lost = SoftHsmToken.WRAPPING_KEY_LABEL + ":00";
    Case one =
        serve(
            "an emptied token",
            with(
                "keywell.hsm.bootstrap",
                "if-missing",
                "keywell.hsm.token-label",
                empty.config().tokenLabel(),
                "keywell.hsm.pin-file",
                privateFile("emptied-pin", new String(empty.pinCharacters())).toString()),
            "device hsm lacks wrapping key " + lost,
            "keywell.hsm.accept-lost-keys=true");
    assertThat(
            site.sql()
                .update(
                    "INSERT INTO wrapping_key_use VALUES ('%s', 'hsm', 'emptied', '%s', 'wraps')"
                        .formatted(one.settings().get("keywell.instance"), lost)))
        .isOne();
    assertOneLine(one, runToRefusal(one));
  }

  private List<Case> wrongUse() {
    return List.of(
        command("an unknown command", List.of("unknown command 'start'", "serve", "fill"), "start"),
        command("serve with an argument", List.of("serve takes no arguments"), "serve", "--port=1"),
        command("fill without a number", List.of("fill", "'N'"), "fill"),
        command("fill x", List.of("'x' is not"), "fill", "x"),
        command("fill of an unknown kind", List.of("RSA-1024"), "fill", "1", "--key-spec=RSA-1024"),
        command("ca-request without a file", List.of("ca-request", "'FILE'"), "ca-request"),
        command(
            "ca-import of a file that is not there",
            List.of("/no/such/file"),
            "ca-import",
            "/no/such/file"));
  }

  private List<Case> wrongSettings() throws IOException {
    Path yaml = home.resolve("unknown.yml");
    Files.writeString(yaml, "keywell:\n  sign:\n    queue-limt: 10\n");
    Path profile = home.resolve("profile.yaml");
    Files.writeString(
        profile,
        """
        name: ours
        source: a test
        generation: 1ms
        wrapping: 1ms
        unwrapping: 1ms
        signing: 20
        """);
    Path profiles = Files.createDirectory(home.resolve("profiles"));
    Files.writeString(profiles.resolve("gold.yaml"), "profile: {validty: 3h}");
    return List.of(
        serve(
            "files for measurements beside a database that others use",
            with("keywell.trial-files", home.toString()),
            "keywell.trial-files",
            "keywell.database.url"),
        serve(
            "a key of a certificate profile that is not known",
            with("keywell.ca.profiles-directory", profiles.toString()),
            "gold.yaml",
            "profile.validty"),
        serve(
            "an unknown setting in a file",
            with("spring.config.additional-location", yaml.toUri().toString()),
            "keywell.sign.queue-limt"),
        serve(
            "an unknown setting in the environment",
            with("keywell.sign.queue-limt", "10"),
            "KEYWELL_SIGN_QUEUELIMT"),
        serve(
            "a value out of range",
            with("keywell.sign.queue-limit", "0"),
            "queue-limit",
            "1-100000"),
        serve(
            "a value of another type",
            with("keywell.sign.queue-limit", "many"),
            "queue-limit",
            "int"),
        serve(
            "a switch that is neither on nor off",
            with("keywell.console.enabled", "maybe"),
            "keywell.console.enabled",
            "boolean"),
        serve(
            "an unknown mode",
            with("keywell.pool.mode", "slow"),
            "keywell.pool.mode",
            "on-the-fly"),
        serve(
            "an unknown device profile",
            with("keywell.hsm.profile", "luna"),
            "keywell.hsm.profile",
            "'luna'",
            "luna-sa-1700, luna-sa-1700-remote"),
        serve(
            "a wrong device profile",
            with("keywell.hsm.profile", profile.toString()),
            "keywell.hsm.profile",
            profile.toString(),
            "signing: '20' is not a time with a unit"),
        serve(
            "an unknown kind of key",
            with("keywell.pool.specs.RSA-1024.max-stored", "1"),
            "keywell.pool.specs",
            "RSA-2048"),
        serve(
            "an address for all to reach",
            with("server.address", "0.0.0.0"),
            "server.address",
            "server.ssl.bundle",
            "server.ssl.client-auth=need"),
        serve(
            "TLS that would take certificates of public authorities",
            with(
                "server.address",
                "0.0.0.0",
                "server.ssl.bundle",
                "x",
                "server.ssl.client-auth",
                "want"),
            "spring.ssl.bundle.pem.x.truststore.certificate"));
  }

  private List<Case> wrongSurroundings() throws IOException {
    SoftHsmToken empty = SoftHsmToken.createWithoutWrappingKey();
    SoftHsmToken withoutCa = SoftHsmToken.create();
    Path readable = privateFile("readable-pin", "1234");
    Files.setPosixFilePermissions(readable, PosixFilePermissions.fromString("rw-r--r--"));
    return List.of(
        serve("no module", with("keywell.hsm.module", "/no/such.so"), "/no/such.so"),
        serve("no token", with("keywell.hsm.token-label", "nobody's"), "nobody's"),
        serve(
            "a PIN file for others to read",
            with("keywell.hsm.pin-file", readable.toString()),
            readable.toString(),
            "0600"),
        serve("no PIN file", with("keywell.hsm.pin-file", "/no/pin"), "/no/pin"),
        serve(
            "no callers file",
            with("keywell.security.callers-file", "/no/callers.yaml"),
            "/no/callers.yaml"),
        serve(
            "a local token for others to read",
            with("keywell.security.local-token-file", readable.toString()),
            readable.toString(),
            "0600"),
        serve(
            "a token without a wrapping key",
            with(
                "keywell.hsm.bootstrap",
                "never",
                "keywell.hsm.token-label",
                empty.config().tokenLabel(),
                "keywell.hsm.pin-file",
                privateFile("empty-pin", new String(empty.pinCharacters())).toString()),
            "wrapping key",
            "keywell-wrap",
            "bootstrap"),
        serve(
            "a token without a CA",
            with(
                "keywell.hsm.bootstrap",
                "never",
                "keywell.hsm.token-label",
                withoutCa.config().tokenLabel(),
                "keywell.hsm.pin-file",
                privateFile("ca-pin", new String(withoutCa.pinCharacters())).toString()),
            "CA key keywell-issuing",
            "bootstrap"),
        serve(
            "a port for health and metrics that is taken, before the database is looked at",
            with(
                "management.server.port",
                Integer.toString(taken.getLocalPort()),
                "keywell.database.url",
                "jdbc:postgresql://127.0.0.1:1/keywell?password=secret"),
            "port " + taken.getLocalPort() + ", for health and metrics,",
            "MANAGEMENT_SERVER_PORT"),
        serve(
            "an instance's name that is taken",
            with("keywell.instance", "keywell-1"),
            "keywell.instance 'keywell-1'"),
        serve(
            "no database, which the deployed program does not bring along",
            with("keywell.database.url", "embedded"),
            "set keywell.database.url",
            "jdbc:postgresql:"));
  }

  private Case command(String name, List<String> expected, String... command) {
    return new Case(name, site.settings(), List.of(command), expected);
  }

  private static Case serve(String name, Map<String, String> settings, String... expected) {
    return new Case(name, settings, List.of("serve"), List.of(expected));
  }

  /**
   * The settings of a good start, some replaced. Each start has an instance's name of its own: two
   * run at a time, and a name is free only after PostgreSQL has noticed that its process ended.
   */
  private Map<String, String> with(String... replaced) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("keywell.instance", "refused-" + starts.incrementAndGet());
    for (int i = 0; i < replaced.length; i += 2) {
      settings.put(replaced[i], replaced[i + 1]);
    }
    return site.settings(settings);
  }

  private String runToRefusal(Case one) throws Exception {
    Path log = Files.createTempFile(home, "refused", ".log");
    try (KeywellProcess process =
        KeywellProcess.start(one.settings(), log, one.command().toArray(String[]::new))) {
      assertThat(process.awaitExit()).as(process.log()).isEqualTo(2);
      return process.log();
    }
  }

  private static void assertOneLine(Case one, String output) {
    List<String> lines = output.lines().filter(line -> !LOGGED.matcher(line).matches()).toList();
    assertThat(lines).as(output).hasSize(1);
    assertThat(lines.getFirst())
        .startsWith("keywell: ")
        .contains(one.expected())
        .doesNotContain("Exception", "password");
  }

  private Path privateFile(String name, String content) throws IOException {
    Path file =
        Files.createFile(
            home.resolve(name),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, content);
  }
}
