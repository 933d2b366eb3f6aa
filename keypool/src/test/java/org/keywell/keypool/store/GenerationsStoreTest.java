package org.keywell.keypool.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.store.WrappedKeyStoreContract.key;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.testkit.PostgresForTests;

/** The keys under two wrapping keys, of which the one follows the other. */
@Tag("postgresql")
final class GenerationsStoreTest {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String OLD = "label:01";
  private static final String NEW = "label~2:02";

  private final HikariDataSource dataSource =
      PostgresForTests.newDatabase().asService().dataSource();
  private List<String> used = List.of(OLD);
  private String wraps = OLD;

  private final GenerationsStore store =
      new GenerationsStore(
          () -> used, () -> wraps, id -> new JdbcWrappedKeyStore(dataSource, "instance-1", id));

  @AfterEach
  void isBalanced() {
    assertThat(new KeyLedger(dataSource).balances()).allMatch(balance -> balance.difference() == 0);
    dataSource.close();
  }

  private static WrappedKey under(String wrappingKeyId) {
    WrappedKey any = key(SPEC);
    return new WrappedKey(
        SPEC, wrappingKeyId, any.wrapMechanism(), any.publicKey(), any.wrappedPrivateKey());
  }

  private void switchOver() {
    used = List.of(OLD, NEW);
    wraps = NEW;
  }

  private void withdraw() {
    used = List.of(NEW);
  }

  @Test
  void keysUnderTheOldOneAreClaimedFirst() {
    store.add(under(OLD));
    switchOver();
    store.add(under(NEW));
    store.add(under(OLD));

    assertThat(store.count(SPEC)).isEqualTo(3);
    assertThat(store.claim(SPEC, 5)).hasSize(2).allMatch(key -> isUnder(key, OLD));
    assertThat(store.claim(SPEC, 5)).hasSize(1).allMatch(key -> isUnder(key, NEW));
    assertThat(store.claim(SPEC, 5)).isEmpty();
  }

  private static boolean isUnder(StoredKey key, String id) {
    return key.key().wrappingKeyId().equals(id);
  }

  @Test
  void eachHasPlacesOfItsOwn() {
    store.add(under(OLD));
    switchOver();

    assertThat(store.countTowardsMax(SPEC)).isZero();
    assertThat(store.reserve(SPEC, 1, 5)).isEqualTo(1);
    store.addReserved(List.of(under(NEW)));
    assertThat(store.reserve(SPEC, 1, 5)).isZero();
  }

  /** A key that was being made while the device changed to another wrapping key. */
  @Test
  void keysOfBothAreStoredThoughThePlacesWereReservedUnderOne() {
    assertThat(store.reserve(SPEC, 10, 2)).isEqualTo(2);
    switchOver();

    store.addReserved(List.of(under(OLD), under(NEW)));
    store.keepReserved(SPEC, 0);

    assertThat(store.count(SPEC)).isEqualTo(2);
    assertThat(store.countTowardsMax(SPEC)).isEqualTo(1);
    assertThat(store.reserve(SPEC, 2, 5)).as("no place is left over").isEqualTo(1);
  }

  @Test
  void whatComesBackUnderAWithdrawnKeyIsDiscarded() {
    store.add(under(OLD));
    switchOver();
    store.add(under(NEW));
    List<StoredKey> old = store.claim(SPEC, 1);
    List<StoredKey> latest = store.claim(SPEC, 1);
    withdraw();

    assertThat(store.putBack(List.of(old.getFirst(), latest.getFirst()))).isEqualTo(1);

    assertThat(store.count(SPEC)).isEqualTo(1);
    assertThat(new KeyLedger(dataSource).balances())
        .filteredOn(balance -> balance.wrappingKeyId().equals(OLD))
        .singleElement()
        .satisfies(balance -> assertThat(balance.discarded()).isEqualTo(1));
  }

  @Test
  void allThatIsStoredUnderOneIsDiscarded() {
    store.add(under(OLD));
    store.add(under(OLD));
    store.add(under(NEW));

    assertThat(new PoolMarks(dataSource, "instance-2").discardAll(OLD)).isEqualTo(2);

    switchOver();
    assertThat(store.count(SPEC)).isEqualTo(1);
  }
}
