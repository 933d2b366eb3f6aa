package org.keywell.identity.jwt;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetBasedJWKSource;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.SecurityContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProviderAddress;
import org.keywell.identity.ProviderDocuments;

/**
 * An issuer's public keys, cached: refetched in the background before they expire, at once for an
 * unknown key, and used for longer while they cannot be fetched. Thread-safe.
 */
final class ProviderKeys implements JWKSource<SecurityContext> {

  /** At most two fetches take place per interval, regardless of demand. */
  static final Duration INTERVAL = Duration.ofSeconds(10);

  /** Slightly longer than a fetch may take. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(4);

  private static final Duration AHEAD = Duration.ofSeconds(20);

  private final FetchedKeys fetched;
  private final JWKSetSource<SecurityContext> kept;
  private final InstantSource clock;

  /**
   * @param refreshed how often they are fetched
   * @param keptFor how long they are used while they cannot be fetched
   * @param background runs fetches before the keys expire
   */
  ProviderKeys(
      ProviderAddress address,
      ProviderDocuments documents,
      Duration refreshed,
      Duration keptFor,
      ExecutorService background,
      InstantSource clock) {
    this.fetched = new FetchedKeys(address, documents);
    this.clock = clock;
    JWKSourceBuilder<SecurityContext> builder =
        JWKSourceBuilder.create(fetched)
            .cache(refreshed.toMillis(), LONGEST_WAIT.toMillis())
            .refreshAheadCache(AHEAD.toMillis(), null, background, false, null, false)
            .rateLimited(INTERVAL.toMillis());
    if (keptFor.isPositive()) {
      builder.outageTolerant(keptFor.toMillis());
    }
    this.kept = ((JWKSetBasedJWKSource<SecurityContext>) builder.build()).getJWKSetSource();
  }

  /**
   * Returns the keys that match; none if the issuer has none that does.
   *
   * @throws KeySourceException if the issuer's keys are not known
   */
  @Override
  public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context)
      throws KeySourceException {
    long now = clock.millis();
    JWKSet known = kept.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), now, context);
    List<JWK> keys = selector.select(known);
    if (!keys.isEmpty()) {
      return keys;
    }
    List<JWK> newer = selector.select(refreshed(known, now, context));
    if (newer.isEmpty() && fetched.isFailing()) {
      throw new JWKSetUnavailableException("the key is unknown, and newer ones cannot be fetched");
    }
    return newer;
  }

  private JWKSet refreshed(JWKSet known, long now, @Nullable SecurityContext context)
      throws KeySourceException {
    try {
      return kept.getJWKSet(JWKSetCacheRefreshEvaluator.referenceComparison(known), now, context);
    } catch (RateLimitReachedException e) {
      return known;
    }
  }

  /**
   * Fetches the keys, for a start that must not proceed without them.
   *
   * @throws KeySourceException if they cannot be fetched; the message says why
   */
  void require() throws KeySourceException {
    kept.getJWKSet(JWKSetCacheRefreshEvaluator.noRefresh(), clock.millis(), null);
  }
}
