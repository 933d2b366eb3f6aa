package org.keywell.service.xks;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.pkcs11.TokenAesKey;
import org.keywell.keypool.hsm.pkcs11.TokenAesKeys;
import org.keywell.service.FreshDatabase;
import org.keywell.xks.store.KeyUsage;
import org.keywell.xks.store.KeyUse;
import org.keywell.xks.store.XksKey;
import org.keywell.xks.store.XksKeys;

/** What XKS requests and commands read while PostgreSQL takes their tables for nearly empty. */
@Tag("postgresql")
@Timeout(120)
final class FreshKeysTest {

  private static final int KEYS = 1_000;
  private static final int ROWS_PER_KEY = 6;

  private final FreshDatabase database = new FreshDatabase();

  FreshKeysTest() throws SQLException {}

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void noUseReadsTheWholeTableInANewDatabase() throws Exception {
    try (HikariDataSource connections = database.ofService()) {
      XksKeys keys = new XksKeys(connections, "fresh");
      makeAndUse(keys, 0, 10);
      database.rows().begin();
      makeAndUse(keys, 10, KEYS);
    }
    assertThat(database.above(ROWS_PER_KEY, KEYS)).as("rows per key").isEmpty();
  }

  private static void makeAndUse(XksKeys keys, int first, int count) {
    for (int i = first; i < first + count; i++) {
      String name = "volume-" + i;
      byte[] id = TokenAesKeys.newId();
      assertThat(keys.intend(name, id)).isTrue();
      assertThat(keys.intent(name)).contains(id);
      TokenAesKey token = new TokenAesKey(XksKey.label(name), id, new byte[] {1});
      assertThat(keys.create(name, token, KeyUsage.ENCRYPT_DECRYPT)).isTrue();
      KeyUse use =
          new KeyUse("Encrypt", "caller", "arn:me", "arn:key", "Encrypt", "id", true, false);
      assertThat(keys.use(name, use)).isPresent();
      assertThat(keys.use("no-" + name, use)).isEmpty();
      assertThat(keys.find(name)).isPresent();
      assertThat(keys.change(name, XksKey.State.DISABLED, KeyUsage.ENCRYPT)).isTrue();
    }
  }
}
