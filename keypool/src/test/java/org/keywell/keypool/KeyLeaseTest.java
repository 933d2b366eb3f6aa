package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.idOf;
import static org.keywell.keypool.PoolRig.signs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.fake.Operation;

@Timeout(30)
final class KeyLeaseTest {

  private final PoolRig rig = PoolRig.of(3, 3, 3);

  private KeyLease lease() throws InterruptedException {
    return rig.loaded(2).lease();
  }

  @Test
  void signsOnceWithItsKey() throws InterruptedException {
    KeyLease lease = lease();

    assertThat(signs(lease, EC)).isTrue();

    assertThatIllegalStateException().isThrownBy(() -> signs(lease, EC));
    assertThat(rig.hsm.faults().calls(Operation.SIGN)).isEqualTo(1);
  }

  /** Whether the device signed before it failed is unknown. */
  @Test
  void aKeyIsSpentEvenIfTheDeviceFails() throws InterruptedException {
    KeyLease lease = lease();
    rig.hsm.faults().failNext(Operation.SIGN, Reason.UNAVAILABLE, 1);

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> signs(lease, EC));

    assertThatIllegalStateException().isThrownBy(() -> signs(lease, EC));
    assertThatIllegalStateException().isThrownBy(lease::returnUnused);
    assertThat(lease.destroy().succeeded()).isTrue();
  }

  @Test
  void destroysItsKeyAndIsThenSettled() throws InterruptedException {
    KeyLease lease = lease();
    long live = rig.hsm.countLiveKeys();

    assertThat(lease.destroy().succeeded()).isTrue();

    assertThat(rig.hsm.countLiveKeys()).isEqualTo(live - 1);
    assertThatIllegalStateException().isThrownBy(lease::destroy);
    assertThatIllegalStateException().isThrownBy(lease::returnUnused);
    assertThatIllegalStateException().isThrownBy(() -> signs(lease, EC));
  }

  @Test
  void ofTwoWhoSettleAtOnceExactlyOneDoes() throws Exception {
    KeyLease lease = lease();
    rig.hsm.faults().hang(Operation.DESTROY);
    Callable<Boolean> destroy = () -> lease.destroy().succeeded();
    TestThread<Boolean> first = TestThread.start(destroy);
    rig.hsm.faults().awaitHanging(Operation.DESTROY, 1);

    assertThatIllegalStateException().isThrownBy(lease::destroy);
    assertThatIllegalStateException().isThrownBy(lease::returnUnused);
    rig.hsm.faults().healAll();

    assertThat(first.result()).isTrue();
  }

  @Test
  void aKeyThatIsNotDestroyedIsAnOrphan() throws InterruptedException {
    KeyLease lease = lease();
    rig.hsm.faults().destroyReturns(0x30);

    assertThat(lease.destroy().returnValue()).isEqualTo(0x30);

    assertThat(rig.destroyer.count()).isEqualTo(1);
    assertThatIllegalStateException().isThrownBy(lease::destroy);
  }

  @Test
  void theAttemptAfterWhichAnOrphanIsGoneIsTold() throws InterruptedException {
    KeyLease lease = lease();
    List<Destruction> told = new ArrayList<>();
    assertThat(lease.laterDestruction()).isEmpty();
    rig.hsm.faults().destroyReturns(0x30);
    lease.destroy();
    lease.laterDestruction().orElseThrow().thenAccept(told::add);

    rig.retryOrphans();
    assertThat(told).isEmpty();
    rig.hsm.faults().healAll();
    rig.retryOrphans();

    assertThat(told).containsExactly(Destruction.DONE);
  }

  @Test
  void aKeyThatIsGoneAtOnceHasNoLaterDestruction() throws InterruptedException {
    KeyLease destroyed = lease();
    destroyed.destroy();
    KeyLease unused = rig.lease();
    unused.returnUnused();

    assertThat(destroyed.laterDestruction()).isEmpty();
    assertThat(unused.laterDestruction()).isEmpty();
  }

  @Test
  void anUnusedKeyIsTheNextToBeLeased() throws InterruptedException {
    KeyLease lease = lease();

    lease.returnUnused();

    assertThat(idOf(rig.lease())).isEqualTo(idOf(lease));
    assertThatIllegalStateException().isThrownBy(lease::returnUnused);
    assertThatIllegalStateException().isThrownBy(() -> signs(lease, EC));
  }

  @Test
  void aKeyThatHasSignedCannotBeReturned() throws InterruptedException {
    KeyLease lease = lease();
    signs(lease, EC);

    assertThatIllegalStateException().isThrownBy(lease::returnUnused);
    assertThat(rig.shelves.loaded(EC)).isEqualTo(1);
  }

  @Test
  void anUnusedKeyOfAClosedPoolIsDestroyed() throws InterruptedException {
    KeyLease lease = lease();
    rig.loader.unload();

    lease.returnUnused();

    assertThat(rig.hsm.countLiveKeys()).isZero();
  }

  @Test
  void anUnusedKeyOfAClosedPoolCanBecomeAnOrphan() throws InterruptedException {
    KeyLease lease = lease();
    rig.loader.unload();
    rig.hsm.faults().destroyReturns(0x30);

    lease.returnUnused();

    assertThat(rig.destroyer.count()).isEqualTo(1);
  }

  @Test
  void aKeyMadeOnTheFlySignsAndHasNoRow() {
    KeyLease lease = rig.pools.generate(EC);

    assertThat(lease.stored()).isEmpty();
    assertThat(signs(lease, EC)).isTrue();
    assertThat(lease.destroy().succeeded()).isTrue();
    assertThat(rig.hsm.countLiveKeys()).isZero();
  }

  @Test
  void anUnusedKeyMadeOnTheFlyIsDestroyed() {
    KeyLease lease = rig.pools.generate(EC);

    lease.returnUnused();

    assertThat(rig.hsm.countLiveKeys()).isZero();
    assertThatIllegalStateException().isThrownBy(lease::destroy);
  }
}
