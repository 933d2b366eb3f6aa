package org.keywell.bench.tables.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.bench.tables.figure.ThesisTables;
import org.keywell.ca.Certification;
import org.keywell.ca.FakeCertificateAuthority;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.InMemoryWrappedKeyStore;

/** How the tables are measured, on a device in memory. Each test ends without a live key. */
final class ExperimentsTest {
  private final FakeHsm device = new FakeHsm();
  private final AccountedHsm hsm = new AccountedHsm(device);
  private final InMemoryWrappedKeyStore store = new InMemoryWrappedKeyStore();
  private final KeyStock stock = new KeyStock(hsm, store);
  private final FakeCertificateAuthority ca = new FakeCertificateAuthority();
  private final OneThread oneThread = new OneThread(stock, new WholeSigning(ca));
  private final StoppingMeter meter = new StoppingMeter();

  /** Stops after so many steps; never, unless it is told to. */
  private static final class StoppingMeter implements Meter {
    private final AtomicInteger done = new AtomicInteger();
    private volatile int stopAfter = Integer.MAX_VALUE;

    @Override
    public boolean stopped() {
      return done.get() >= stopAfter;
    }

    @Override
    public void advance() {
      done.incrementAndGet();
    }
  }

  @AfterEach
  void nothingIsLeftInTheDevice() {
    hsm.destroyAll();
    assertThat(device.countLiveKeys()).isZero();
    assertThat(hsm.destroyed()).isEqualTo(hsm.made());
  }

  private static ThesisRow row(TableId table, int index) {
    return ThesisTables.rows(table).get(index);
  }

  private static Figure figure(List<Timed> timed, Quantity quantity) {
    return timed.stream()
        .filter(t -> t.quantity() == quantity)
        .map(Timed::figure)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void generationDestroysEachKey() {
    List<Timed> timed = new Generation().run(row(TableId.GENERATION, 0), hsm, 3, meter);

    assertThat(figure(timed, Quantity.GENERATE).count()).isEqualTo(3);
    assertThat(device.countLiveKeys()).isZero();
    assertThat(hsm.made()).isEqualTo(3);
  }

  @Test
  void wrappedKeysAreSavedAndTheirPartsAddUp() {
    List<Timed> timed = new WrapAndSave(store).run(row(TableId.WRAP_AND_SAVE, 0), hsm, 2, meter);

    assertThat(store.count(KeyStock.SPEC)).isEqualTo(2);
    assertThat(device.countLiveKeys()).isZero();
    assertThat(figure(timed, Quantity.GENERATE_WRAP_SAVE).totalMillis())
        .isEqualTo(
            figure(timed, Quantity.GENERATE).totalMillis()
                + figure(timed, Quantity.WRAP_AND_SAVE).totalMillis(),
            Offset.offset(1e-6));
  }

  @Test
  void blocksAreWrittenAndLoadedAndNothingStays() {
    StandInKeys standIns = new StandInKeys(stock.makeOne());
    Transfer transfer = new Transfer(store, () -> standIns);

    List<Timed> written = transfer.run(row(TableId.TRANSFER, 5), hsm, 30, meter);
    assertThat(figure(written, Quantity.WRITE).count()).isEqualTo(30);
    assertThat(store.count(KeyStock.SPEC)).isEqualTo(30);

    List<Timed> loaded = transfer.run(row(TableId.TRANSFER, 0), hsm, 30, meter);
    assertThat(figure(loaded, Quantity.LOAD).count()).isEqualTo(30);
    assertThat(store.count(KeyStock.SPEC)).isZero();

    // With nothing written before, it writes what it is to load.
    assertThat(figure(transfer.run(row(TableId.TRANSFER, 0), hsm, 7, meter), Quantity.LOAD).count())
        .isEqualTo(7);
  }

  @Test
  void unwrappedKeysGoBackUnused() throws Exception {
    stock.fill(3, meter);

    List<Timed> timed =
        new LoadAndUnwrap(stock).run(row(TableId.LOAD_AND_UNWRAP, 0), hsm, 3, meter);

    assertThat(figure(timed, Quantity.UNWRAP).count()).isEqualTo(3);
    assertThat(figure(timed, Quantity.LOAD_AND_UNWRAP).count()).isEqualTo(3);
    assertThat(store.count(KeyStock.SPEC)).isEqualTo(3);
    assertThat(device.countLiveKeys()).isZero();
  }

  @Test
  void eachRequestTakesAKeyOfItsOwn() throws Exception {
    stock.fill(3, meter);

    List<Timed> timed = oneThread.run(row(TableId.WHOLE_SIGNING, 0), hsm, 3, meter);

    assertThat(figure(timed, Quantity.SIGN).count()).isEqualTo(3);
    assertThat(device.faults().calls(Operation.SIGN)).isEqualTo(3);
    assertThat(ca.calls()).isEqualTo(3);
    assertThat(store.count(KeyStock.SPEC)).isZero();
    assertThat(device.countLiveKeys()).isZero();
  }

  @Test
  void threadsShareTheRequests() throws Exception {
    stock.fill(5, meter);

    List<Timed> timed =
        new ManyThreads(stock, new WholeSigning(ca)).run(row(TableId.THREADS, 1), hsm, 5, meter);

    Figure throughput = figure(timed, Quantity.THROUGHPUT);
    Figure single = figure(timed, Quantity.SINGLE);
    assertThat(throughput.count()).isEqualTo(5);
    assertThat(single.count()).isEqualTo(5);
    // At most two requests are under way at any moment, and none takes longer than all.
    assertThat(throughput.totalMillis() * 2).isGreaterThanOrEqualTo(single.totalMillis());
    assertThat(throughput.totalMillis())
        .isGreaterThanOrEqualTo(Objects.requireNonNull(single.spread()).max());
    assertThat(device.faults().calls(Operation.SIGN)).isEqualTo(5);
  }

  @Test
  void keysAreUnwrappedBesideAndGoBack() throws Exception {
    stock.fill(2 + OneThreadBesideUnwrapping.KEYS_UNWRAPPED, meter);

    List<Timed> timed =
        new OneThreadBesideUnwrapping(stock, oneThread)
            .run(row(TableId.SIGNING_WHILE_UNWRAPPING, 0), hsm, 2, meter);

    assertThat(figure(timed, Quantity.SIGN).count()).isEqualTo(2);
    assertThat(figure(timed, Quantity.UNWRAP_BESIDE).count()).isPositive();
    assertThat(device.faults().calls(Operation.SIGN)).isEqualTo(2);
    assertThat(store.count(KeyStock.SPEC)).isEqualTo(OneThreadBesideUnwrapping.KEYS_UNWRAPPED);
    assertThat(device.countLiveKeys()).isZero();
  }

  @Test
  void whatWasTimedBeforeTheStopCounts() throws Exception {
    stock.fill(4, new StoppingMeter());
    meter.stopAfter = 2;

    List<Timed> timed = oneThread.run(row(TableId.WHOLE_SIGNING, 0), hsm, 4, meter);

    assertThat(figure(timed, Quantity.SIGN).count()).isEqualTo(2);
    assertThat(oneThread.run(row(TableId.WHOLE_SIGNING, 0), hsm, 4, meter)).isEmpty();
  }

  @Test
  void aRequestWithoutCertificateIsNotCountedAndItsKeyIsDestroyed() throws Exception {
    stock.fill(1, meter);
    ca.refuse(Certification.Reason.CA_UNAVAILABLE);

    assertThatExceptionOfType(ExperimentFailedException.class)
        .isThrownBy(() -> oneThread.run(row(TableId.WHOLE_SIGNING, 0), hsm, 1, meter))
        .withMessageContaining("CA_UNAVAILABLE");
    assertThat(device.countLiveKeys()).isZero();
  }

  @Test
  void aKeyThatIsNotDestroyedIsAFailure() throws Exception {
    stock.fill(1, meter);
    device.faults().destroyReturns(0x30);

    assertThatExceptionOfType(ExperimentFailedException.class)
        .isThrownBy(() -> oneThread.run(row(TableId.WHOLE_SIGNING, 0), hsm, 1, meter))
        .withMessageContaining("did not destroy a key: 0x30");
    device.faults().destroyReturns(0);
  }

  @Test
  void aDeviceThatFailsOneThreadFailsTheRow() throws Exception {
    stock.fill(3, meter);
    device.faults().failAfter(1, Operation.SIGN, Reason.FAILED);

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() ->
            new ManyThreads(stock, new WholeSigning(ca))
                .run(row(TableId.THREADS, 1), hsm, 3, meter));
  }

  @Test
  void tooFewKeysAreToldBeforeAnythingIsMeasured() {
    assertThatExceptionOfType(ExperimentFailedException.class)
        .isThrownBy(() -> oneThread.run(row(TableId.WHOLE_SIGNING, 0), hsm, 1, meter))
        .withMessage("1 keys are needed and 0 are stored");
  }

  @Test
  void standInsAreLikeTheRealOneAndAllDifferent() {
    var real = stock.makeOne();
    var standIns = new StandInKeys(real).next(300);

    assertThat(standIns)
        .allMatch(key -> key.publicKey().length == real.publicKey().length)
        .allMatch(key -> key.wrappedPrivateKey().length == real.wrappedPrivateKey().length)
        .noneMatch(key -> key.wrappingKeyId().equals(hsm.wrappingKeyId()));
    assertThat(standIns.stream().map(key -> HexFormat.of().formatHex(key.publicKey())))
        .doesNotHaveDuplicates();
  }
}
