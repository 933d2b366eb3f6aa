package org.keywell.rest.tls;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.tls.Finding.Status;
import org.keywell.settings.RevocationProperties.WhenUnknown;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether a caller's certificate is still valid. The handshake accepted it once; a
 * connection may last for days, so each request is checked. A result is reused until {@code
 * max-age}, the end of a revocation list or of a certificate, or until a list or the trust store
 * changes. Thread-safe.
 */
public final class CallerCertificates {

  /** Certificates remembered; beyond this, an arbitrary one is forgotten and checked again. */
  private static final int MOST = 1_000;

  private static final Duration UNKNOWN_AGE = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(CallerCertificates.class);

  /**
   * @param untilMillis when it must be checked again
   * @param refreshMillis when this may start, while it is still valid
   */
  private record Known(
      Finding finding,
      long untilMillis,
      long refreshMillis,
      Authorities authorities,
      @Nullable RevocationLists lists) {}

  private final Supplier<Authorities> authorities;
  private final Revocation revocation;
  private final Lookups lookups;
  private final InstantSource clock;
  private final Map<X509Certificate, Known> known = new ConcurrentHashMap<>();

  CallerCertificates(
      Supplier<Authorities> authorities,
      Revocation revocation,
      Lookups lookups,
      InstantSource clock) {
    this.authorities = authorities;
    this.revocation = revocation;
    this.lookups = lookups;
    this.clock = clock;
  }

  /**
   * Returns why a request is refused; null if its caller's certificate is accepted. Waits for a
   * responder at most as long as configured.
   *
   * @param chain what the caller presented, its own certificate first
   */
  public @Nullable Problem refusal(X509Certificate[] chain) {
    Finding finding = find(chain);
    return switch (finding.status()) {
      case GOOD -> null;
      case REVOKED -> new Problem(ProblemType.CERTIFICATE_REVOKED, finding.reason());
      case UNKNOWN ->
          revocation.properties().whenUnknown() == WhenUnknown.ACCEPT
              ? null
              : new Problem(
                  ProblemType.REVOCATION_UNKNOWN,
                  "keywell.security.revocation.when-unknown is refuse",
                  UNKNOWN_AGE);
      case NOT_VALID_NOW, UNTRUSTED -> new Problem(ProblemType.CALLER_UNKNOWN, finding.reason());
    };
  }

  /** As {@link #refusal}, in words, for ways in other than HTTP. */
  public @Nullable String refusalText(X509Certificate[] chain) {
    Problem problem = refusal(chain);
    return problem == null ? null : problem.type().label() + ": " + problem.detail();
  }

  Finding find(X509Certificate[] chain) {
    X509Certificate own = chain[0];
    Known before = known.get(own);
    long now = clock.millis();
    boolean counts =
        before != null
            && now < before.untilMillis
            && before.authorities.equals(authorities.get())
            && Objects.equals(before.lists, revocation.lists());
    if (before != null && counts && now < before.refreshMillis) {
      return before.finding;
    }
    if (!revocation.waits()) {
      return findNow(chain);
    }
    Lookups.Pending pending = lookups.start(own, () -> findNow(chain));
    return before != null && counts ? before.finding : pending.await();
  }

  private Finding findNow(X509Certificate[] chain) {
    Authorities trusted = authorities.get();
    @Nullable RevocationLists lists = revocation.lists();
    Instant now = clock.instant();
    Finding finding = examine(List.of(chain), trusted, now);
    Duration age = revocation.properties().maxAge();
    if (finding.status() == Status.UNKNOWN && age.compareTo(UNKNOWN_AGE) > 0) {
      age = UNKNOWN_AGE;
    }
    Instant until = finding.atMostUntil(now.plus(age)).until();
    Instant refresh = revocation.waits() ? now.plus(age.dividedBy(2)) : until;
    remember(
        chain[0], new Known(finding, until.toEpochMilli(), refresh.toEpochMilli(), trusted, lists));
    return finding;
  }

  private Finding examine(List<X509Certificate> chain, Authorities trusted, Instant now) {
    X509Certificate own = chain.getFirst();
    if (now.isBefore(own.getNotBefore().toInstant()) || now.isAfter(end(own))) {
      return Finding.of(
          Status.NOT_VALID_NOW,
          "the certificate is valid from %s to %s"
              .formatted(own.getNotBefore().toInstant(), end(own)));
    }
    List<X509Certificate> path = trusted.path(chain, now);
    if (path.isEmpty()) {
      return Finding.of(Status.UNTRUSTED, "no trusted authority vouches for the certificate");
    }
    Finding all = Finding.good(end(own));
    for (int i = 0; i < path.size() - 1; i++) {
      all = all.atMostUntil(end(path.get(i)));
      if (revocation.properties().isOn()) {
        Finding one = revocation.find(path.get(i), path.get(i + 1), now);
        if (one.status() == Status.REVOKED) {
          return one;
        }
        all = all.status() == Status.GOOD ? one.atMostUntil(all.until()) : all;
      }
    }
    return all;
  }

  private static Instant end(X509Certificate certificate) {
    return certificate.getNotAfter().toInstant();
  }

  private void remember(X509Certificate own, Known found) {
    if (known.size() >= MOST && !known.containsKey(own)) {
      known.keySet().stream().findAny().ifPresent(known::remove);
    }
    @Nullable Known before = known.put(own, found);
    Status was = before == null ? Status.GOOD : before.finding.status();
    if (was != found.finding.status()) {
      log.warn(
          "certificate {} of {} is {} {}",
          own.getSerialNumber().toString(16),
          own.getSubjectX500Principal(),
          found.finding.status(),
          found.finding.reason());
    }
  }
}
