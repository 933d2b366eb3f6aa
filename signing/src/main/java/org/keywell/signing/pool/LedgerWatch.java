package org.keywell.signing.pool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.Device;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolDepth;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.keypool.store.LedgerBalance;
import org.keywell.keypool.worker.Worker;
import org.keywell.signing.database.KeyReport;
import org.keywell.signing.database.KeyReports;

/**
 * Checks the balance of all keys repeatedly: in the database at any time; and between the database,
 * this instance and its HSMs while there are no requests, so that it delays none and nothing moves
 * meanwhile. It also counts private keys in the HSMs that would outlive this process and that
 * nobody is known to have made. An HSM that is down is left out. The results are kept for metrics,
 * and in the database for {@code ./keywell check}.
 *
 * <p>Thread-safe.
 */
public final class LedgerWatch implements AutoCloseable {

  /** Prefixes of the parts that are devices; the others are kinds of key. */
  private static final String HSM = "HSM";

  private static final String STRAY = "stray token keys";

  private static final Duration EVERY = Duration.ofSeconds(10);

  /** How often to look for an idle moment while there are requests. */
  private static final Duration WHILE_BUSY = Duration.ofSeconds(1);

  private static final int REST_FACTOR = 50;

  /** A key being generated is live for a moment; hardly all checks will hit one. */
  private static final int MAX_LOOKS = 5;

  private final KeyPools pools;
  private final KeyLedger ledger;
  private final KeyReports reports;
  private final Set<String> knownTokenKeys;
  private final LongSupplier nanoClock;
  private final Map<String, Long> differences = new ConcurrentHashMap<>();
  private final Map<String, Long> unmatched = new ConcurrentHashMap<>();
  private final Worker worker;

  /** Live keys by device that are not the pools': the CA's, in a process that created it. */
  private final Map<String, Long> foreign = new ConcurrentHashMap<>();

  private @Nullable Long nextBalanceNanos;

  /**
   * @param knownTokenKeys labels or ids of keys that the devices keep beyond sessions, such as the
   *     CA's
   */
  public LedgerWatch(
      KeyPools pools,
      KeyLedger ledger,
      KeyReports reports,
      Set<String> knownTokenKeys,
      LongSupplier nanoClock) {
    this.pools = pools;
    this.ledger = ledger;
    this.reports = reports;
    this.knownTokenKeys = Set.copyOf(knownTokenKeys);
    this.nanoClock = nanoClock;
    this.worker = new Worker("keywell-ledger", this::look);
  }

  /**
   * Counts the keys that are live before the pools load any; to be called then.
   *
   * @throws HsmException if the device fails
   */
  public void beforeStart() {
    pools.devices().forEach(device -> foreign.put(device.name(), device.liveKeys()));
  }

  public void start() {
    worker.start();
  }

  @Override
  public void close() {
    end(Worker.LONGEST_JOIN);
  }

  /** As {@link #close}. Returns whether the thread ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /**
   * Returns by how many keys of this kind, of all instances, the database is off balance; empty
   * before the first check.
   */
  public OptionalLong difference(KeySpec spec) {
    return of(differences, spec.label());
  }

  /** Returns how many keys of a kind this instance has in hand beyond those that it has claimed. */
  public OptionalLong unmatched(KeySpec spec) {
    return of(unmatched, spec.label());
  }

  /**
   * Returns how many keys live in a device beyond those that this instance knows of; empty also
   * while the device is down.
   *
   * @param device its name
   */
  public OptionalLong unmatchedIn(String device) {
    return of(unmatched, part(HSM, device));
  }

  private String part(String kind, String device) {
    return pools.devices().size() == 1 ? kind : kind + " " + device;
  }

  private static OptionalLong of(Map<String, Long> figures, String part) {
    Long known = figures.get(part);
    return known == null ? OptionalLong.empty() : OptionalLong.of(known);
  }

  /** Checks once; the thread repeats this. Returns how long to pause before the next check. */
  public Duration look() {
    long began = nanoClock.getAsLong();
    if (nextBalanceNanos == null || began - nextBalanceNanos >= 0) {
      strikeBalance();
      nextBalanceNanos = began + rest(began, EVERY).toNanos();
    }
    return rest(began, compare() ? EVERY : WHILE_BUSY);
  }

  private void strikeBalance() {
    Map<String, Long> bySpec =
        ledger.balances().stream()
            .collect(
                Collectors.groupingBy(
                    LedgerBalance::keySpec, Collectors.summingLong(LedgerBalance::difference)));
    for (KeySpec spec : pools.config().specs()) {
      differences.put(spec.label(), bySpec.getOrDefault(spec.label(), 0L));
    }
  }

  /** Returns false if something moved meanwhile. */
  private boolean compare() {
    List<KeyReport> found = List.of();
    Map<String, Long> others = Map.of();
    for (int look = 0; look < MAX_LOOKS; look++) {
      long claims = pools.claims();
      if (!nothingMoves()) {
        return false;
      }
      others = new HashMap<>();
      found = compareOnce(others);
      // A count made while something moved is as useless for the CA's keys as for the pools'.
      if (!nothingMoves() || claims != pools.claims()) {
        return false;
      }
      if (found.stream().allMatch(KeyReport::matches)) {
        break;
      }
    }
    foreign.putAll(others);
    keep(found);
    return true;
  }

  private boolean nothingMoves() {
    return pools.isIdle()
        && pools.config().specs().stream().allMatch(spec -> pools.depth(spec).loading() == 0);
  }

  private List<KeyReport> compareOnce(Map<String, Long> foreignNow) {
    // Without those that are claimed for KMIP's clients.
    Map<String, Long> claimed = reports.claimed(wrappingKeyIds());
    List<KeyReport> found = new ArrayList<>();
    for (KeySpec spec : pools.config().specs()) {
      found.add(
          new KeyReport(
              spec.label(), claimed.getOrDefault(spec.label(), 0L), inHand(pools.depth(spec))));
    }
    Set<String> known = new HashSet<>(knownTokenKeys);
    known.addAll(reports.inTokens());
    for (Device device : pools.devices()) {
      if (device.health().down().isEmpty()) {
        found.add(compare(device, foreignNow));
        found.add(new KeyReport(part(STRAY, device.name()), 0, device.strayTokenKeys(known)));
      }
    }
    return found;
  }

  private KeyReport compare(Device device, Map<String, Long> foreignNow) {
    long known =
        device.orphans()
            + pools.config().specs().stream().mapToLong(spec -> inHand(device.depth(spec))).sum();
    long live = device.liveKeys();
    // The CA's are garbage-collected at some time, and end when the device is reopened.
    long others = Math.clamp(live - known, 0, foreign.getOrDefault(device.name(), 0L));
    foreignNow.put(device.name(), others);
    return new KeyReport(part(HSM, device.name()), known, live - others);
  }

  private static long inHand(PoolDepth depth) {
    return (long) depth.free() + depth.leased();
  }

  private void keep(List<KeyReport> found) {
    unmatched.keySet().retainAll(found.stream().map(KeyReport::part).toList());
    found.forEach(report -> unmatched.put(report.part(), report.found() - report.expected()));
    reports.write(found, wrappingKeyIds());
  }

  private List<String> wrappingKeyIds() {
    return pools.devices().stream()
        .flatMap(device -> device.wrappingKeyIds().stream())
        .distinct()
        .toList();
  }

  /** Checks take at most a fiftieth of the time. */
  private Duration rest(long began, Duration atLeast) {
    Duration rest = Duration.ofNanos(nanoClock.getAsLong() - began).multipliedBy(REST_FACTOR);
    return rest.compareTo(atLeast) > 0 ? rest : atLeast;
  }
}
