package org.keywell.keypool.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/** What every store promises. */
abstract class WrappedKeyStoreContract {

  static final String WRAPPING_KEY = "wrapping-key-of-this-instance";

  private static final AtomicInteger serial = new AtomicInteger();

  /** An empty store. */
  abstract WrappedKeyStore store();

  static WrappedKey key(KeySpec spec) {
    byte[] publicKey = PublicKeys.of(spec);
    // The number goes into the modulus or the point.
    ByteBuffer.wrap(publicKey).putInt(publicKey.length / 2, serial.incrementAndGet());
    return new WrappedKey(spec, WRAPPING_KEY, "AES-KWP", publicKey, new byte[] {1, 2, 3});
  }

  private static List<Long> add(WrappedKeyStore store, KeySpec spec, int count) {
    return IntStream.range(0, count).mapToObj(i -> store.add(key(spec))).toList();
  }

  private static List<Long> ids(List<StoredKey> keys) {
    return keys.stream().map(StoredKey::id).toList();
  }

  @Test
  void claimsTheOldestFirstAndWhole() {
    WrappedKeyStore store = store();
    WrappedKey first = key(KeySpec.RSA_2048);
    long id = store.add(first);
    add(store, KeySpec.RSA_2048, 2);

    StoredKey claimed = store.claim(KeySpec.RSA_2048, 1).getFirst();

    assertThat(claimed.id()).isEqualTo(id);
    assertThat(claimed.key()).usingRecursiveComparison().isEqualTo(first);
    assertThat(store.count(KeySpec.RSA_2048)).isEqualTo(2);
  }

  @Test
  void keepsKindsApart() {
    WrappedKeyStore store = store();
    List<Long> rsa = add(store, KeySpec.RSA_2048, 2);
    List<Long> ec = add(store, KeySpec.EC_P256, 1);

    assertThat(ids(store.claim(KeySpec.EC_P256, 10))).isEqualTo(ec);
    assertThat(ids(store.claim(KeySpec.RSA_2048, 10))).isEqualTo(rsa);
    assertThat(store.claim(KeySpec.RSA_2048, 10)).isEmpty();
  }

  @Test
  void refusesTheSamePublicKeyTwice() {
    WrappedKeyStore store = store();
    WrappedKey key = key(KeySpec.RSA_2048);
    store.add(key);

    assertThatThrownBy(() -> store.add(key)).isInstanceOf(StoreException.class);
    assertThat(store.count(KeySpec.RSA_2048)).isEqualTo(1);
  }

  @Test
  void refusesAnEmptyClaim() {
    WrappedKeyStore store = store();
    assertThatThrownBy(() -> store.claim(KeySpec.RSA_2048, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aKeyThatIsPutBackIsTheOldestAgain() {
    WrappedKeyStore store = store();
    List<Long> all = add(store, KeySpec.RSA_2048, 3);
    List<StoredKey> claimed = store.claim(KeySpec.RSA_2048, 2);

    assertThat(store.putBack(claimed)).isEqualTo(2);

    List<StoredKey> again = store.claim(KeySpec.RSA_2048, 3);
    assertThat(ids(again)).isEqualTo(all);
    assertThat(again.getFirst().key())
        .usingRecursiveComparison()
        .isEqualTo(claimed.getFirst().key());
  }

  @Test
  void aKeyCannotComeBackTwiceOrAfterItsEnd() {
    WrappedKeyStore store = store();
    add(store, KeySpec.RSA_2048, 3);
    List<StoredKey> claimed = store.claim(KeySpec.RSA_2048, 3);
    List<StoredKey> first = claimed.subList(0, 1);
    List<StoredKey> second = claimed.subList(1, 2);

    store.discard(ids(first));
    assertThat(store.putBack(first)).isZero();
    assertThat(store.putBack(second)).isEqualTo(1);
    assertThat(store.putBack(second)).isZero();
    assertThat(store.forfeitLeftovers()).isEqualTo(1);
    assertThat(store.putBack(claimed.subList(2, 3))).isZero();
    assertThat(store.count(KeySpec.RSA_2048)).isEqualTo(1);
  }

  @Test
  void keysThatWereNeverUsedAreNotOnRecord() {
    WrappedKeyStore store = store();
    add(store, KeySpec.RSA_2048, 3);

    assertThat(store.used(store.claim(KeySpec.RSA_2048, 3))).isEmpty();
  }

  @Test
  void toleratesNothingToDo() {
    WrappedKeyStore store = store();
    assertThat(store.used(List.of())).isEmpty();
    assertThat(store.putBack(List.of())).isZero();
    store.discard(List.of());
    assertThat(store.forfeitLeftovers()).isZero();
  }

  @Test
  void placesAreGivenWhileThereIsRoom() {
    WrappedKeyStore store = store();
    add(store, KeySpec.RSA_2048, 3);

    assertThat(store.reserve(KeySpec.RSA_2048, 10, 4)).isEqualTo(4);
    assertThat(store.reserve(KeySpec.EC_P256, 10, 4)).as("another kind").isEqualTo(4);
    assertThat(store.reserve(KeySpec.RSA_2048, 10, 4)).isEqualTo(3);
    assertThat(store.reserve(KeySpec.RSA_2048, 10, 4)).isZero();
    assertThat(store.reserve(KeySpec.RSA_2048, 2, 1)).as("beyond the limit").isZero();

    store.addReserved(List.of(key(KeySpec.RSA_2048)));
    assertThat(store.reserve(KeySpec.RSA_2048, 10, 1)).as("a stored key has its place").isZero();
    store.claim(KeySpec.RSA_2048, 2);
    assertThat(store.reserve(KeySpec.RSA_2048, 10, 4)).as("claimed keys free theirs").isEqualTo(2);
  }

  @Test
  void placesThatAreGivenBackAreFree() {
    WrappedKeyStore store = store();
    store.keepReserved(KeySpec.RSA_2048, 0);
    assertThat(store.reserve(KeySpec.RSA_2048, 5, 5)).isEqualTo(5);

    store.keepReserved(KeySpec.RSA_2048, 6);
    assertThat(store.reserve(KeySpec.RSA_2048, 5, 5)).isZero();
    store.keepReserved(KeySpec.RSA_2048, 1);
    assertThat(store.reserve(KeySpec.RSA_2048, 5, 5)).isEqualTo(4);
    store.forfeitLeftovers();
    assertThat(store.reserve(KeySpec.RSA_2048, 5, 5)).isEqualTo(5);
  }

  @Test
  void aKeyWithoutAPlaceIsNotStored() {
    WrappedKeyStore store = store();
    assertThatThrownBy(() -> store.addReserved(List.of(key(KeySpec.RSA_2048))))
        .isInstanceOf(StoreException.class);

    store.reserve(KeySpec.RSA_2048, 5, 1);
    WrappedKey key = key(KeySpec.RSA_2048);
    store.addReserved(List.of(key));
    assertThatThrownBy(() -> store.addReserved(List.of(key(KeySpec.RSA_2048))))
        .isInstanceOf(StoreException.class);

    StoredKey claimed = store.claim(KeySpec.RSA_2048, 5).getFirst();
    assertThat(claimed.key()).usingRecursiveComparison().isEqualTo(key);
  }

  @Test
  void keysThatAreStoredTogetherAreAllStoredOrNone() {
    WrappedKeyStore store = store();
    store.reserve(KeySpec.EC_P256, 10, 5);
    List<WrappedKey> keys = Stream.generate(() -> key(KeySpec.EC_P256)).limit(3).toList();
    store.addReserved(keys);
    assertThat(store.count(KeySpec.EC_P256)).isEqualTo(3);

    assertThatThrownBy(
            () -> store.addReserved(Stream.generate(() -> key(KeySpec.EC_P256)).limit(3).toList()))
        .as("two places are left")
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.addReserved(List.of(key(KeySpec.EC_P256), keys.getFirst())))
        .as("one is stored already")
        .isInstanceOf(StoreException.class);
    assertThat(store.count(KeySpec.EC_P256)).isEqualTo(3);
    store.addReserved(List.of(key(KeySpec.EC_P256), key(KeySpec.EC_P256)));

    assertThat(store.claim(KeySpec.EC_P256, 5))
        .hasSize(5)
        .extracting(key -> key.key().publicKey())
        .startsWith(keys.stream().map(WrappedKey::publicKey).toArray(byte[][]::new));
  }

  @Test
  void knowsWhatItHasClaimedAndNotAccountedFor() {
    WrappedKeyStore store = store();
    List<Long> all = add(store, KeySpec.RSA_2048, 4);
    List<StoredKey> claimed = store.claim(KeySpec.RSA_2048, 3);

    assertThat(store.onLedger(List.of())).isEmpty();
    assertThat(store.onLedger(all)).containsExactlyInAnyOrderElementsOf(ids(claimed));
    store.discard(ids(claimed.subList(0, 1)));
    store.putBack(claimed.subList(1, 2));
    assertThat(store.onLedger(all)).containsExactly(claimed.get(2).id());
    store.forfeitLeftovers();
    assertThat(store.onLedger(all)).isEmpty();
  }

  /** Rule 1: whatever claims, puts back and discards at the same time, no key is held twice. */
  @Test
  void noKeyIsClaimedTwiceByConcurrentClaims() throws Exception {
    WrappedKeyStore store = store();
    List<Long> all = add(store, KeySpec.RSA_2048, 400);
    Callable<List<Long>> claimer =
        () -> {
          List<Long> kept = new ArrayList<>();
          Random random = new Random(42);
          for (List<StoredKey> batch = store.claim(KeySpec.RSA_2048, 7);
              !batch.isEmpty();
              batch = store.claim(KeySpec.RSA_2048, 7)) {
            int back = random.nextInt(3);
            List<StoredKey> returned = batch.subList(0, Math.min(back, batch.size() - 1));
            assertThat(store.putBack(returned)).isEqualTo(returned.size());
            kept.addAll(ids(batch.subList(returned.size(), batch.size())));
          }
          return kept;
        };

    List<Long> kept;
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<List<Long>>> results =
          threads.invokeAll(Stream.generate(() -> claimer).limit(4).toList());
      kept = new ArrayList<>();
      for (Future<List<Long>> result : results) {
        kept.addAll(result.get());
      }
    }

    // A key that was put back after the last empty claim of others is still stored.
    kept.addAll(ids(store.claim(KeySpec.RSA_2048, 400)));
    assertThat(kept).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(all);
  }
}
