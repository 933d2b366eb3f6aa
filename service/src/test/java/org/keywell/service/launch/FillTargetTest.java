package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.PoolRig.EC;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.DeviceRole;
import org.keywell.keypool.PooledHsm;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.store.InMemoryWrappedKeyStore;
import org.keywell.keypool.store.WrappedKeyStore;
import org.keywell.settings.StartRefusedException;

/** Two devices share a wrapping key, a third one has its own. */
final class FillTargetTest {

  private static final FillArguments TEN = new FillArguments(10, EC);

  private final FakeHsm hsm = new FakeHsm();
  private final WrappedKeyStore shared = new InMemoryWrappedKeyStore();
  private final WrappedKeyStore own = new InMemoryWrappedKeyStore();
  private final FillTarget target =
      new FillTarget(
          List.of(
              device("east", hsm, shared),
              device("west", hsm.restarted(), shared),
              device("north", new FakeHsm(), own)));

  private static PooledHsm device(String name, FakeHsm hsm, WrappedKeyStore store) {
    return new PooledHsm(name, DeviceRole.BOTH, 1, hsm, store);
  }

  private void store(WrappedKeyStore store, int count) {
    for (int i = 0; i < count; i++) {
      LiveKeyPair pair = hsm.generateExtractable(EC);
      store.add(hsm.wrap(pair));
      hsm.destroy(pair.privateKey());
    }
  }

  @Test
  void eachWrappingKeyIsFilled() {
    assertThat(target.ofAll(TEN)).isEqualTo(new FillArguments(20, EC));
  }

  /** Else one that is full would pass for both. */
  @Test
  void whatOneHasTooManyIsNotWhatTheOtherLacks() {
    store(shared, 25);
    store(own, 4);

    assertThat(target.towards(TEN)).isEqualTo(14);
    assertThat(target.stored(TEN)).isEqualTo(29);
  }

  @Test
  void aDeviceMakesKeys() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> new FillTarget(List.of()))
        .withMessageContaining("keywell.hsm.devices");
  }
}
