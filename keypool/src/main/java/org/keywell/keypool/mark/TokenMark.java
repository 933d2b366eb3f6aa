package org.keywell.keypool.mark;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.TokenData;
import org.keywell.keypool.mark.Mark.Kind;
import org.keywell.keypool.store.ClaimLimit;
import org.keywell.keypool.store.PoolMarks;
import org.keywell.keypool.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far keys may have been claimed into one device, kept in its token. Claims stay within it, so
 * it is raised before the keys are claimed. At a start it tells which stored keys a restored
 * database may have brought back.
 *
 * <p>Thread-safe. Each method throws {@link HsmException} or {@link StoreException} if the device
 * or the database fails.
 */
public final class TokenMark implements ClaimLimit {

  private static final Logger log = LoggerFactory.getLogger(TokenMark.class);

  /** So many fit into a data object. */
  private static final int MAX_KINDS = 20;

  private static final String SIGNING = "keywell-mark ";
  private static final String MANAGED = "keywell-managed-mark ";

  private final String name;
  private final String token;
  private final String device;
  private final Hsm hsm;
  private final PoolMarks store;
  private final String instance;
  private final Predicate<String> runs;

  /** As in the token. Claims start with {@link #begin}. */
  private volatile Map<Kind, Long> places = Map.of();

  // Guarded by this.
  private @Nullable UUID run;
  private long writes;

  /**
   * @param device its name, for operators
   * @param instance of this process
   * @param runs whether a process runs under an instance's name now, with this database
   */
  public TokenMark(
      String device, Hsm hsm, PoolMarks store, String instance, Predicate<String> runs) {
    this(SIGNING, hsm.tokenId(), device, hsm, store, instance, runs);
  }

  /** As the constructor, for the keys that clients manage; the token has both marks. */
  public static TokenMark ofManaged(
      String device, Hsm hsm, PoolMarks store, String instance, Predicate<String> runs) {
    return new TokenMark(MANAGED, hsm.tokenId() + " (managed)", device, hsm, store, instance, runs);
  }

  private TokenMark(
      String name,
      String token,
      String device,
      Hsm hsm,
      PoolMarks store,
      String instance,
      Predicate<String> runs) {
    this.name = name;
    this.token = token;
    this.device = device;
    this.hsm = hsm;
    this.store = store;
    this.instance = instance;
    this.runs = runs;
  }

  /** Returns the device's name. */
  public String device() {
    return device;
  }

  @Override
  public long upTo(KeySpec spec) {
    return under(hsm.wrappingKeyId()).upTo(spec);
  }

  @Override
  public boolean extend(KeySpec spec, int wanted, long before) {
    return under(hsm.wrappingKeyId()).extend(spec, wanted, before);
  }

  /** Returns the limit to claims under one wrapping key. */
  public ClaimLimit under(String wrappingKeyId) {
    return new ClaimLimit() {
      @Override
      public long upTo(KeySpec spec) {
        return places.getOrDefault(new Kind(spec.label(), wrappingKeyId), 0L);
      }

      @Override
      public boolean extend(KeySpec spec, int wanted, long before) {
        return TokenMark.this.extend(new Kind(spec.label(), wrappingKeyId), wanted, before);
      }
    };
  }

  private synchronized boolean extend(Kind kind, int wanted, long before) {
    if (places.getOrDefault(kind, 0L) > before) {
      return true;
    }
    if (run == null) {
      return false;
    }
    long reach = store.reach(kind.keySpec(), kind.wrappingKeyId(), wanted);
    if (reach <= before) {
      return false;
    }
    raise(run, Mark.later(places, Map.of(kind, reach)));
    return true;
  }

  /** Raises it to what other instances have claimed into other tokens. */
  public synchronized void refresh() {
    if (run == null) {
      return;
    }
    Map<Kind, Long> later = Mark.later(places, reached());
    if (!later.equals(places)) {
      raise(run, later);
    }
  }

  private Map<Kind, Long> reached() {
    Map<Kind, Long> reached = new HashMap<>();
    for (String id : hsm.wrappingKeyIds()) {
      store.reached(id).forEach((keySpec, place) -> reached.put(new Kind(keySpec, id), place));
    }
    return reached;
  }

  /**
   * Compares the marks in the token with the database. To be called before {@link #begin}, while
   * this process holds its instance's name.
   */
  public Comparison compare() {
    Map<String, Mark> marks = read();
    Map<String, PoolMarks.Run> known = store.runs(token);
    Comparison comparison = new Comparison(device, hsm.wrappingKeyIds());
    marks.forEach((owner, mark) -> {
      PoolMarks.Run last = known.get(owner);
      if (last == null || !last.fits(mark.run())) {
        if (last != null && mark.writes() < last.writes()) {
          // The token is: whatever was claimed since is on record.
          log.warn("device {} was restored: its mark is older than the database", device);
        } else {
          comparison.unknown(mark);
        }
      } else if (mark.running() && !runsElsewhere(owner)) {
        comparison.unended(mark);
      }
    });
    PoolMarks.Run mine = known.get(instance);
    if (mine != null && mine.previous() != null && !marks.containsKey(instance)) {
      comparison.lost();
    }
    comparison.count(store);
    return comparison;
  }

  private boolean runsElsewhere(String owner) {
    return !owner.equals(instance) && runs.test(owner);
  }

  /**
   * Discards what a comparison found, and lets claims begin. Marks of vanished instances become
   * part of this one's.
   *
   * @return how many stored keys were discarded
   */
  public synchronized long begin(Comparison comparison) {
    long discarded = comparison.discard(store);
    Map<String, Mark> marks = read();
    Map<Kind, Long> all = reached();
    for (Mark mark : marks.values()) {
      all = Mark.later(all, mark.places());
    }
    all.values().stream().max(Comparator.naturalOrder()).ifPresent(store::advanceBeyond);
    Mark mine = marks.get(instance);
    writes = mine == null ? 0 : mine.writes();
    UUID begun = UUID.randomUUID();
    store.begin(token, new PoolMarks.Run(begun, mine == null ? null : mine.run(), writes));
    write(begun, all);
    run = begun;
    for (String owner : marks.keySet()) {
      if (!owner.equals(instance) && !runs.test(owner)) {
        hsm.removeData(name + owner);
        store.forget(owner, token);
      }
    }
    return discarded;
  }

  /** Notes an orderly stop, after the last claim: what is stored now was not used. */
  public synchronized void end() {
    UUID last = run;
    if (last != null) {
      run = null;
      UUID ended = UUID.randomUUID();
      Map<Kind, Long> reached = places;
      places = Map.of();
      store.begin(token, new PoolMarks.Run(ended, last, writes));
      keep(ended, false, reached);
    }
  }

  /** An instance that took this one for gone has made the database forget the run. */
  private void raise(UUID current, Map<Kind, Long> later) {
    store.begin(token, new PoolMarks.Run(current, current, writes));
    write(current, later);
  }

  private void write(UUID current, Map<Kind, Long> later) {
    keep(current, true, later);
    places = Map.copyOf(later);
  }

  private void keep(UUID of, boolean running, Map<Kind, Long> reached) {
    writes++;
    Mark mark = new Mark(of, running, writes, bounded(reached));
    hsm.keepData(new TokenData(name + instance, mark.encode()));
  }

  /** Of many wrapping keys, most were destroyed, and nothing can be claimed under them. */
  private Map<Kind, Long> bounded(Map<Kind, Long> reached) {
    if (reached.size() <= MAX_KINDS) {
      return reached;
    }
    Map<Kind, Long> used = new HashMap<>(reached);
    used.keySet().removeIf(kind -> !hsm.wrappingKeyIds().contains(kind.wrappingKeyId()));
    return used;
  }

  private Map<String, Mark> read() {
    Map<String, Mark> marks = new HashMap<>();
    for (TokenData data : hsm.data(name)) {
      Optional<Mark> mark = Mark.decode(data.value());
      if (mark.isPresent()) {
        marks.merge(data.name().substring(name.length()), mark.get(), TokenMark::last);
      } else {
        log.warn("device {}: the data object '{}' is no mark; ignored", device, data.name());
      }
    }
    return marks;
  }

  private static Mark last(Mark one, Mark other) {
    return one.writes() > other.writes() ? one : other;
  }
}
