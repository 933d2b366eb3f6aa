package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.idOf;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.store.InMemoryWrappedKeyStore.Call;
import org.keywell.keypool.store.StoreException;

final class DisownedKeysTest {

  private final PoolRig rig = PoolRig.of(6, 6, 6);

  @Test
  void loadedKeysThatAreNotOnTheLedgerAreDestroyedAndReplaced() throws InterruptedException {
    rig.loaded(8);
    KeyLease first = rig.lease();
    List<Long> given = List.of(idOf(first), idOf(first) + 1, idOf(first) + 2);
    rig.store.forfeitByAnother(given);

    assertThat(rig.pools.destroyDisowned()).isEqualTo(2);

    assertThat(rig.pools.depth(EC)).isEqualTo(new PoolDepth(0, 3, 1, 0));
    assertThat(rig.hsm.countLiveKeys()).as("the leased one is its request's").isEqualTo(4);
    assertThat(rig.pools.destroyDisowned()).isZero();
    first.destroy();
    rig.load();
    assertThat(rig.leaseAll()).doesNotContainAnyElementsOf(given).hasSize(5);
  }

  @Test
  void nothingIsDestroyedWhileTheLedgerCannotBeRead() throws InterruptedException {
    rig.loaded(3);
    rig.store.failing(Call.ON_LEDGER, true);

    assertThatExceptionOfType(StoreException.class).isThrownBy(rig.pools::destroyDisowned);

    assertThat(rig.pools.depth(EC).loaded()).isEqualTo(3);
  }

  @Test
  void keysThatAreItsOwnStay() throws InterruptedException {
    rig.loaded(3);
    assertThat(rig.pools.destroyDisowned()).isZero();
    assertThat(rig.pools.depth(EC).loaded()).isEqualTo(3);
  }
}
