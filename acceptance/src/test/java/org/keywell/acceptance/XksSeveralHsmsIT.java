package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.XksClient;
import org.keywell.acceptance.running.XksClient.Answer;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.service.xks.KeyCommands;
import org.keywell.service.xks.XksDoor;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.TlsAuthority;
import org.keywell.xks.store.KeyUsage;
import org.keywell.xks.store.XksKeys;

/** A key of the external key store in two HSMs, of which the first fails. */
@Timeout(240)
@Tag("fault")
final class XksSeveralHsmsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final long CKR_DEVICE_REMOVED = 0x32;
  private static final int CALLS_PER_HSM = 2;

  /** After that, the clients have given up. */
  private static final Duration BUDGET = Duration.ofMillis(250);

  private final Database database = PostgresForTests.newDatabase();
  private final SoftHsmToken west = SoftHsmToken.create();
  private final Path home;
  private final TlsAuthority authority;
  private final FaultyModule module;
  private final SoftHsmToken east;
  private final RunningKeywell keywell;
  private final XksClient client;
  private final HikariDataSource dataSource;
  private final KeyCommands commands;

  XksSeveralHsmsIT(@TempDir Path home) throws Exception {
    this.home = home;
    module = FaultyModule.create(home.resolve("east"));
    east = SoftHsmToken.create(module.path());
    authority = TlsAuthority.create(home, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    keywell = start();
    client = new XksClient(authority.context(null), URI.create(keywell.part(XksDoor.class).url()));
    dataSource = database.asService().dataSource();
    commands =
        new KeyCommands(
            new XksKeys(dataSource, "test"), keywell.part(KeywellProperties.class).hsm());
    assertThat(commands.create("both", KeyUsage.ENCRYPT_DECRYPT, List.of("east", "west")))
        .contains(east.config().tokenLabel(), west.config().tokenLabel());
    Await.until("it encrypts", () -> client.encrypt("both", "text").status() == 200);
  }

  private RunningKeywell start() throws Exception {
    Map<String, String> all = new HashMap<>(authority.serverSettings());
    all.keySet().removeIf(name -> name.startsWith("server.ssl.") || name.contains("callers"));
    all.putAll(Settings.pool(SPEC, 5));
    all.put("keywell.pool.specs." + SPEC.label() + ".max-stored", "40");
    all.put("keywell.hsm.call-limit", "2s");
    all.put("keywell.hsm.hang-limit", "0");
    all.putAll(Settings.besides(west));
    all.put("keywell.warm-up", "1s");
    all.put("keywell.xks.enabled", "true");
    all.put("keywell.xks.port", "0");
    all.put("keywell.xks.bundle", "service");
    all.put("keywell.xks.calls-per-hsm", Integer.toString(CALLS_PER_HSM));
    all.put("keywell.xks.credentials-file", XksClient.credentials(home).toString());
    return RunningKeywell.start(Settings.of(east, database, home, all));
  }

  @AfterEach
  void stop() {
    module.close();
    client.close();
    dataSource.close();
    keywell.close();
  }

  private static void assertOpened(Answer answer) {
    assertThat(answer.text("plaintext"))
        .as(answer.body().toString())
        .isEqualTo(XksClient.base64("text"));
  }

  @Test
  void whileOneIsLostTheOtherAnswersAndStatesCountAsEver() throws Exception {
    Answer encrypted = client.encrypt("both", "text");
    long before = module.calls("C_DecryptInit");
    assertOpened(client.decrypt("both", encrypted));
    assertThat(module.calls("C_DecryptInit")).as("the first HSM works").isGreaterThan(before);

    module.gone(CKR_DEVICE_REMOVED);
    module.forgetSessions();
    for (int i = 0; i < 20; i++) {
      Answer opened = client.decrypt("both", encrypted);
      assertOpened(opened);
      assertThat(Duration.ofNanos(opened.nanos())).isLessThan(BUDGET);
    }
    assertThat(client.health().status()).isEqualTo(200);

    assertThat(commands.disable("both")).contains("disabled");
    assertThat(client.decrypt("both", encrypted).text("errorName"))
        .isEqualTo("InvalidStateException");
    assertThat(commands.enable("both")).contains("enabled");
    Answer meanwhile = client.encrypt("both", "text");
    assertOpened(client.decrypt("both", meanwhile));

    module.back();
    Await.until(
        "the first HSM works again",
        () -> {
          long calls = module.calls("C_DecryptInit");
          assertOpened(client.decrypt("both", meanwhile));
          return module.calls("C_DecryptInit") > calls;
        });
  }

  @Test
  void aHangingHsmCostsNoMoreRequestsThanCallsMayBeInIt() throws Exception {
    Answer encrypted = client.encrypt("both", "text");
    module.inject("C_Decrypt", Fault.hanging());

    int late = 0;
    for (int i = 0; i < 10; i++) {
      Answer answer = client.decrypt("both", encrypted);
      if (answer.status() == 503) {
        late++;
      } else {
        assertOpened(answer);
      }
    }
    assertThat(late).isEqualTo(CALLS_PER_HSM);
  }

  /** A copy from the wrong backup, or a row that was changed. */
  @Test
  void anotherKeyUnderTheIdIsRefusedByName() throws Exception {
    assertThat(commands.check("both")).contains("HSM east has key", "HSM west has key");
    assertThat(commands.create("alone", KeyUsage.ENCRYPT_DECRYPT, List.of("west")))
        .contains("alone");
    assertThat(client.encrypt("alone", "text").status()).isEqualTo(200);
    assertThat(commands.check("alone"))
        .contains("HSM east does not have key alone", "HSM west has key alone");

    try (HikariDataSource owner = database.dataSource();
        var connection = owner.getConnection();
        var statement = connection.createStatement()) {
      int changed =
          statement.executeUpdate(
              """
              WITH gone AS (DELETE FROM xks_key WHERE name = 'both' RETURNING token_id, key_check)
              INSERT INTO xks_key (name, token_id, key_check, can_encrypt, can_decrypt, state)
              SELECT 'moved', token_id, key_check, true, true, 'enabled' FROM gone
              """);
      assertThat(changed).isOne();
    }

    assertThat(client.encrypt("moved", "text").text("errorName")).isEqualTo("InternalException");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> commands.check("moved"))
        .withMessageContaining("HSM east")
        .withMessageContaining("another key under the id of 'xks-moved'");
  }
}
