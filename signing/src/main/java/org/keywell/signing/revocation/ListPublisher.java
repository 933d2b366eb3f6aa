package org.keywell.signing.revocation;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.keypool.log.LogPace;
import org.keywell.keypool.worker.Worker;
import org.keywell.settings.CaProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the lists of revoked certificates of the CAs whose keys this instance has: before their
 * first certificate, after a revocation, and when half of their time is over. Thread-safe.
 */
public final class ListPublisher {

  private static final Logger log = LoggerFactory.getLogger(ListPublisher.class);

  /** A list is there this long before a certificate can name it. */
  private static final Duration AHEAD = Duration.ofHours(1);

  private static final Duration DAY = Duration.ofDays(1);

  /**
   * How old a list may be whose certificates are issued now. Validators (EU DSS 6.4) use none from
   * before a certificate's {@code notBefore}, which is a minute before its issue by default.
   */
  private static final Duration GROWING = Duration.ofSeconds(30);

  private final ListTable table;
  private final CaProperties.Crl settings;
  private final Duration longestLife;
  private final Supplier<List<ListSigner>> issuing;
  private final Supplier<List<ListSigner>> roots;
  private final InstantSource clock;
  private final BooleanSupplier clockIsInDoubt;
  private final LogPace pace;
  private final Worker worker = new Worker("keywell-lists", this::look);
  private volatile int unsigned;
  private volatile Optional<Instant> nextUpdate = Optional.empty();

  /**
   * @param longestLife of signers' certificates that name a list; zero: none does
   * @param issuing the issuing CAs' keys
   * @param roots those whose keys are in a token
   * @param clockIsInDoubt whether no list may be dated by the clock, nor any be given up as over
   * @param pace of messages on lists that cannot be signed
   */
  ListPublisher(
      ListTable table,
      CaProperties.Crl settings,
      Duration longestLife,
      Supplier<List<ListSigner>> issuing,
      Supplier<List<ListSigner>> roots,
      InstantSource clock,
      BooleanSupplier clockIsInDoubt,
      LogPace pace) {
    this.table = table;
    this.settings = settings;
    this.longestLife = longestLife;
    this.issuing = issuing;
    this.roots = roots;
    this.clock = clock;
    this.clockIsInDoubt = clockIsInDoubt;
    this.pace = pace;
  }

  /** Starts its thread, if there are lists. */
  public void start() {
    if (settings.base().isPresent()) {
      worker.start();
    }
  }

  /** Ends its thread. Returns whether it ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /** There is something to add. */
  void wake() {
    worker.wake();
  }

  /** Returns how many lists are due and could not be signed. */
  public int unsigned() {
    return unsigned;
  }

  /** Returns when the first of this instance's lists is out of date; empty if there is none. */
  public Optional<Instant> nextUpdate() {
    return nextUpdate;
  }

  /** Makes what is due. */
  Duration look() {
    URI base = settings.base().orElseThrow();
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    if (clockIsInDoubt.getAsBoolean()) {
      return settings.fresh();
    }
    List<ListSigner> issuers = issuing.get();
    issuers.forEach(issuer -> ensure(issuer, base, now));
    List<ListSigner> above = roots.get();
    above.forEach(signer -> {
      CrlShard shard = CrlShard.ofAuthorities(signer.keyIdentifier());
      table.ensure(shard, shard.within(base), signer.end());
    });
    Map<String, ListSigner> signers =
        byIdentifier(Stream.concat(issuers.stream(), above.stream()).toList());
    ensureThatRevocationsAreListed(signers, base, now);
    int failed = 0;
    ListTable.Age age = age(now);
    for (CrlShard shard : table.due(signers.keySet(), age)) {
      ListSigner signer = signers.get(shard.issuer());
      if (signer != null && !make(shard, signer, age)) {
        failed++;
      }
    }
    unsigned = failed;
    table.retire(now);
    nextUpdate = table.nextUpdate(signers.keySet());
    return settings.fresh();
  }

  private static Map<String, ListSigner> byIdentifier(List<ListSigner> signers) {
    Map<String, ListSigner> all = new TreeMap<>();
    signers.forEach(signer -> all.put(HexFormat.of().formatHex(signer.keyIdentifier()), signer));
    return all;
  }

  private void ensure(ListSigner issuer, URI base, Instant now) {
    CrlShard services = CrlShard.ofServices(issuer.keyIdentifier());
    table.ensure(services, services.within(base), issuer.end());
    if (longestLife.isZero() || !issuer.certifies()) {
      return;
    }
    String key = services.issuer();
    LocalDate last = day(now.plus(AHEAD));
    // Certificates are dated back. A restored database also lacks the days since its backup.
    LocalDate yesterday = day(now.minus(DAY));
    LocalDate missing = table.newest(key).map(day -> day.plusDays(1)).orElse(yesterday);
    LocalDate first = earliest(missing, yesterday);
    LocalDate unexpired = firstUnexpired(now);
    first = first.isBefore(unexpired) ? earliest(unexpired, yesterday) : first;
    first.datesUntil(last.plusDays(1)).forEach(day -> ensure(key, day, base));
  }

  /**
   * A revocation that was put back into a restored database may be of a day whose list that has
   * never had.
   */
  private void ensureThatRevocationsAreListed(
      Map<String, ListSigner> signers, URI base, Instant now) {
    if (longestLife.isZero()) {
      return;
    }
    table
        .unlisted(signers.keySet(), firstUnexpired(now))
        .forEach(shard -> ensure(shard.issuer(), LocalDate.parse(shard.name()), base));
  }

  private void ensure(String issuer, LocalDate day, URI base) {
    CrlShard signersOfDay = new CrlShard(issuer, day.toString());
    table.ensure(signersOfDay, signersOfDay.within(base), retires(day));
  }

  /** Returns when the last certificate of a day has expired. */
  private Instant retires(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant().plus(DAY).plus(longestLife).plus(AHEAD);
  }

  /** Returns the first day whose list does not retire yet. */
  private LocalDate firstUnexpired(Instant now) {
    return day(now.minus(longestLife).minus(AHEAD));
  }

  private static LocalDate day(Instant time) {
    return LocalDate.ofInstant(time, ZoneOffset.UTC);
  }

  private static LocalDate earliest(LocalDate one, LocalDate other) {
    return one.isBefore(other) ? one : other;
  }

  /** Certificates are dated back, so that those of today may be of yesterday. */
  private static ListTable.Age age(Instant now) {
    List<String> growing =
        Stream.of(now.minus(DAY), now).map(time -> day(time).toString()).toList();
    return new ListTable.Age(now, growing, now.minus(GROWING));
  }

  private boolean make(CrlShard shard, ListSigner signer, ListTable.Age age) {
    Instant now = age.now();
    Instant nextUpdate = now.plus(settings.validity());
    Optional<String> failure =
        table.make(
            shard,
            age,
            nextUpdate,
            draft ->
                signer
                    .signature()
                    .apply(
                        new RevocationList(
                            shard,
                            draft.addresses(),
                            draft.number(),
                            now,
                            nextUpdate,
                            draft.revocations())));
    long told = failure.isPresent() ? pace.due(1) : 0;
    if (told > 0) {
      log.warn(
          "lists of revoked certificates that were not signed: {}; the last, {}: {}",
          told,
          shard.path(),
          failure.orElseThrow());
    }
    return failure.isEmpty();
  }
}
