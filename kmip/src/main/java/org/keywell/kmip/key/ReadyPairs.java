package org.keywell.kmip.key;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoredKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Key pairs for clients. Those of the pool are claimed in batches before they are anyone's, so that
 * most clients do not wait for a claim. Thread-safe.
 *
 * <p>{@link #close} puts back what is left. After a crash it is forfeited, as other claimed keys.
 */
public final class ReadyPairs implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ReadyPairs.class);

  private static final int BATCH = 32;

  private final JdbcWrappedKeyStore store;
  private final Map<KeySpec, Queue<StoredKey>> ready = new EnumMap<>(KeySpec.class);
  private final Map<KeySpec, LongAdder> taken = counters();
  private final Map<KeySpec, LongAdder> made = counters();
  private final Hsm hsm;
  private final Predicate<WrappedKey> proof;
  private final Duration patience;

  /** A device makes one pair at a time, and signing must not wait for more than one. */
  private final Semaphore making = new Semaphore(1, true);

  private boolean closed;

  /**
   * @param store the pool under the wrapping key of managed keys
   * @param pooled the kinds that have a pool
   * @param hsm makes pairs that the pool does not have
   * @param proof whether a pair can be used; throws if the device fails
   * @param patience how long a client waits until one is made for it
   */
  public ReadyPairs(
      JdbcWrappedKeyStore store,
      Set<KeySpec> pooled,
      Hsm hsm,
      Predicate<WrappedKey> proof,
      Duration patience) {
    this.proof = proof;
    this.store = store;
    this.hsm = hsm;
    this.patience = patience;
    pooled.forEach(spec -> ready.put(spec, new ConcurrentLinkedQueue<>()));
  }

  /** Returns the store, which ends the claim when a pair has its owner. */
  public JdbcWrappedKeyStore store() {
    return store;
  }

  /**
   * Takes a pair that was proved when it was claimed. Nobody else gets it.
   *
   * @return empty if the pool has none
   * @throws org.keywell.keypool.store.StoreException if the store fails
   */
  public synchronized Optional<StoredKey> take(KeySpec spec) {
    Queue<StoredKey> pairs = ready.get(spec);
    if (pairs == null || closed) {
      return Optional.empty();
    }
    if (pairs.isEmpty()) {
      pairs.addAll(claim(spec));
    }
    Optional<StoredKey> pair = Optional.ofNullable(pairs.poll());
    if (pair.isPresent()) {
      of(taken, spec).increment();
    }
    return pair;
  }

  /** Returns how many pairs are claimed and nobody's yet; does not wait for a claim. */
  public int claimed(KeySpec spec) {
    Queue<StoredKey> pairs = ready.get(spec);
    return pairs == null ? 0 : pairs.size();
  }

  /** Returns how many pairs of the pool were taken since the start. */
  public long taken(KeySpec spec) {
    return of(taken, spec).sum();
  }

  /** Returns how many pairs were made while their clients waited, since the start. */
  public long made(KeySpec spec) {
    return of(made, spec).sum();
  }

  private static Map<KeySpec, LongAdder> counters() {
    Map<KeySpec, LongAdder> all = new EnumMap<>(KeySpec.class);
    for (KeySpec spec : KeySpec.values()) {
      all.put(spec, new LongAdder());
    }
    return all;
  }

  private static LongAdder of(Map<KeySpec, LongAdder> counters, KeySpec spec) {
    return Objects.requireNonNull(counters.get(spec));
  }

  /** Drops what was claimed: another instance has taken this one for gone, and forfeited it. */
  public synchronized void disowned() {
    ready.values().forEach(Queue::clear);
  }

  /**
   * Makes a pair while its client waits, one at a time.
   *
   * @return empty if those of other clients take too long, or the thread was interrupted
   * @throws org.keywell.keypool.hsm.HsmException if the device fails
   */
  public Optional<WrappedKey> make(KeySpec spec) {
    try {
      if (!making.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return Optional.empty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    try {
      LiveKeyPair live = hsm.generateExtractable(spec);
      try {
        WrappedKey pair = hsm.wrap(live);
        if (!proof.test(pair)) {
          throw new HsmException(HsmException.Reason.FAILED, "a new key pair cannot be used");
        }
        of(made, spec).increment();
        return Optional.of(pair);
      } finally {
        Destruction destruction = hsm.destroy(live.privateKey());
        if (!destruction.keyIsGone()) {
          log.error("a key pair stays in the HSM after it was wrapped: {}", destruction);
        }
      }
    } finally {
      making.release();
    }
  }

  private List<StoredKey> claim(KeySpec spec) {
    List<StoredKey> claimed = store.claim(spec, BATCH);
    Set<Long> used = store.used(claimed);
    List<StoredKey> good = new ArrayList<>();
    List<Long> bad = new ArrayList<>();
    for (StoredKey key : claimed) {
      if (key.isCanonical() && !used.contains(key.id())) {
        good.add(key);
      } else {
        bad.add(key.id());
      }
    }
    store.discard(bad);
    return proved(good);
  }

  /**
   * Returns the pairs that can be used, up to the first one that cannot, which is discarded. The
   * others go back: a device that spoils its results must not cost more than one.
   */
  private List<StoredKey> proved(List<StoredKey> pairs) {
    int good = 0;
    boolean useless = false;
    try {
      while (good < pairs.size() && !useless) {
        useless = !proof.test(pairs.get(good).key());
        good += useless ? 0 : 1;
      }
    } catch (HsmException e) {
      if (good == 0) {
        throw e;
      }
    } finally {
      if (useless) {
        store.discard(List.of(pairs.get(good).id()));
        log.error("a key pair of the pool was discarded: it does not unwrap, or signs wrongly");
      }
      List<StoredKey> rest = pairs.subList(useless ? good + 1 : good, pairs.size());
      if (!rest.isEmpty()) {
        int _ = store.putBack(rest);
      }
    }
    return pairs.subList(0, good);
  }

  @Override
  public synchronized void close() {
    closed = true;
    List<StoredKey> left = new ArrayList<>();
    ready
        .values()
        .forEach(pairs -> {
          left.addAll(pairs);
          pairs.clear();
        });
    if (!left.isEmpty()) {
      int _ = store.putBack(left);
    }
  }
}
