package org.keywell.service.xks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.hsm.pkcs11.TokenAesKey;
import org.keywell.keypool.hsm.pkcs11.TokenAesKeys;
import org.keywell.keypool.store.StoreException;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.keywell.xks.store.KeyUsage;
import org.keywell.xks.store.XksKey;
import org.keywell.xks.store.XksKeys;

/** Commands that end between the HSM and the database, and what the next ones find. */
@Tag("softhsm")
@Tag("postgresql")
final class KeyCommandsTest {

  private static final long CKR_DEVICE_ERROR = 0x30;
  private static final String NAME = "volumes";

  private final HikariDataSource dataSource;
  private final HikariDataSource administration;
  private final Sql sql;
  private final XksKeys keys;
  private final FaultyModule module;
  private final SoftHsmToken east = SoftHsmToken.create();
  private final SoftHsmToken west;

  KeyCommandsTest(@TempDir Path directory) {
    PostgresForTests.Database database = PostgresForTests.newDatabase();
    dataSource = database.asService().dataSource();
    administration = database.dataSource();
    sql = new Sql(administration);
    keys = new XksKeys(dataSource, "test");
    module = FaultyModule.create(directory);
    west = SoftHsmToken.create(module.path());
  }

  @AfterEach
  void close() {
    module.close();
    dataSource.close();
    administration.close();
  }

  private KeyCommands commands() {
    return commands(keys);
  }

  private KeyCommands commands(XksKeys on) {
    return new KeyCommands(on, properties());
  }

  private HsmProperties properties() {
    return new HsmProperties(
        null,
        "keywell",
        null,
        null,
        null,
        SoftHsmToken.WRAPPING_KEY_LABEL,
        null,
        16,
        1,
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
        Duration.ZERO,
        HsmProperties.Bootstrap.NEVER,
        false,
        null,
        List.of(),
        List.of(device("east", east), device("west", west)));
  }

  private static HsmProperties.ListedDevice device(String name, SoftHsmToken token) {
    return new HsmProperties.ListedDevice(
        name,
        DeviceRole.BOTH,
        1,
        token.config().module(),
        token.config().tokenLabel(),
        null,
        new String(token.pinCharacters()),
        null,
        null,
        null,
        null,
        null);
  }

  private static String create(KeyCommands commands, String... devices) {
    return commands.create(NAME, KeyUsage.ENCRYPT_DECRYPT, List.of(devices));
  }

  private static List<byte[]> in(SoftHsmToken token) {
    try (Pkcs11Hsm hsm = token.open()) {
      return hsm.tokenAesKeys().ids(XksKey.label(NAME));
    }
  }

  /** What happens in the place of the statement that adds the key. */
  private interface Addition {
    int instead(PreparedStatement statement) throws SQLException;
  }

  private XksKeys keys(Addition addition) {
    DataSource ending =
        proxy(
            DataSource.class,
            (_, method, arguments) -> {
              Object result = invoke(dataSource, method, arguments);
              return result instanceof Connection real ? connection(real, addition) : result;
            });
    return new XksKeys(ending, "test");
  }

  private static Connection connection(Connection real, Addition addition) {
    return proxy(
        Connection.class,
        (_, method, arguments) -> {
          Object result = invoke(real, method, arguments);
          return result instanceof PreparedStatement statement
                  && String.valueOf(arguments[0]).contains("INSERT INTO xks_key ")
              ? proxy(
                  PreparedStatement.class,
                  (_, call, given) ->
                      call.getName().equals("executeUpdate")
                          ? addition.instead(statement)
                          : invoke(statement, call, given))
              : result;
        });
  }

  private static SQLException lost() {
    return new SQLException("connection lost", "08006");
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object invoke(Object real, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** As if the process was killed before the statement. */
  private XksKeys lostBefore() {
    return keys(_ -> {
      throw lost();
    });
  }

  private void assertIsInUse(SoftHsmToken... tokens) {
    TokenAesKey key = keys.find(NAME).orElseThrow().token();
    assertThat(count("SELECT count(*) FROM xks_key_intent")).isZero();
    for (SoftHsmToken token : tokens) {
      assertThat(in(token)).as("keys of its label").hasSize(1);
      try (Pkcs11Hsm hsm = token.open()) {
        assertThat(hsm.tokenAesKeys().keeps(key)).isTrue();
      }
    }
  }

  private long count(String query) {
    try {
      return sql.count(query);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCommandThatEndedBeforeTheRowIsFinishedByTheNext() {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> create(commands(lostBefore()), "east"));
    byte[] made = in(east).getFirst();
    assertThat(commands().list()).last().asString().startsWith("unfinished").endsWith(NAME);
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> commands().enable(NAME))
        .withMessageContaining("run create-key again");

    assertThat(create(commands(), "east")).startsWith("created: key volumes");

    assertThat(keys.find(NAME).orElseThrow().token().id()).isEqualTo(made);
    assertIsInUse(east);
  }

  @Test
  void aRowThatCameThoughTheConnectionWasLostHasItsKey() {
    XksKeys lostAfter =
        keys(statement -> {
          assertThat(statement.executeUpdate()).isOne();
          throw lost();
        });

    assertThat(create(commands(lostAfter), "east")).startsWith("created: key");

    assertIsInUse(east);
  }

  @Test
  void aKeyInOneOfTwoTokensIsMadeAgainInBoth() {
    byte[] id = TokenAesKeys.newId();
    assertThat(keys.intend(NAME, id)).isTrue();
    try (Pkcs11Hsm hsm = east.open()) {
      var _ = hsm.tokenAesKeys().generate(XksKey.label(NAME), id);
    }

    assertThat(create(commands(), "east", "west")).startsWith("created: key volumes");

    assertIsInUse(east, west);
  }

  @Test
  void aTokenThatFailedAfterTheGenerationIsTriedAgain() {
    module.inject("C_EncryptInit", Fault.returning(CKR_DEVICE_ERROR));
    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> create(commands(), "west"));
    assertThat(in(west)).hasSize(1);
    module.clear("C_EncryptInit");

    assertThat(create(commands(), "west")).startsWith("created: key volumes");

    assertIsInUse(west);
  }

  /** The database is a backup of before it was made; what it encrypted must not be lost. */
  @Test
  void aKeyThatTheDatabaseDoesNotKnowIsNamedAndStays() throws Exception {
    String _ = create(commands(), "east");
    byte[] before = in(east).getFirst();
    assertThat(sql.update("DELETE FROM xks_key")).isOne();

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> create(commands(), "east"))
        .withMessageContaining("a key labelled 'xks-volumes', CKA_ID ");

    assertThat(in(east)).containsExactly(before);
    assertThat(count("SELECT count(*) FROM xks_key_intent")).isZero();
  }

  @Test
  void whatWasLeftCanBeDestroyed() {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> create(commands(lostBefore()), "east"));

    assertThat(commands().destroy(NAME)).endsWith("it was in 1 of 2 tokens");

    assertThat(in(east)).isEmpty();
    assertThat(commands().list()).hasSize(1);
  }

  /** Two at the same time: the one that is late leaves no key behind. */
  @Test
  void aKeyWhoseNoteIsGoneIsDestroyed() {
    XksKeys late =
        keys(statement -> {
          assertThat(sql.update("DELETE FROM xks_key_intent")).isOne();
          return statement.executeUpdate();
        });

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> create(commands(late), "east"));

    assertThat(in(east)).isEmpty();
    assertThat(keys.find(NAME)).isEmpty();
  }
}
