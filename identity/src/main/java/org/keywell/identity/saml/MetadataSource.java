package org.keywell.identity.saml;

import java.io.IOException;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.keywell.identity.ProviderAddress;
import org.keywell.identity.ProviderDocuments;
import org.keywell.identity.saml.SamlMetadata.Entity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metadata at one address, kept up to date by its users. A user that finds it due starts a fetch in
 * the background and continues with the current metadata. Only while there is none, or it has
 * expired, does a request wait for a fetch, and only the first. Metadata that cannot be fetched or
 * is refused replaces nothing.
 *
 * <p>Thread-safe.
 */
final class MetadataSource {

  private static final Logger log = LoggerFactory.getLogger(MetadataSource.class);

  /** Ten times the metadata of a national federation. */
  private static final int MAX_BYTES = 16 * 1024 * 1024;

  /** How often it is refetched, unless its {@code cacheDuration} is shorter. */
  private static final Duration REFRESHED_AFTER = Duration.ofHours(1);

  private static final Duration AT_LEAST_APART = Duration.ofMinutes(1);

  /** Between failed attempts. */
  private static final Duration RETRIED_AFTER = Duration.ofSeconds(10);

  private final ProviderAddress address;
  private final ProviderDocuments documents;
  private final MetadataReader reader;
  private final Executor background;

  private final ReentrantLock fetching = new ReentrantLock();
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private volatile State state = new State(null, Instant.MIN);

  /**
   * @param due when to fetch next
   */
  private record State(@Nullable SamlMetadata metadata, Instant due) {

    boolean isValid(Instant now) {
      return metadata != null && now.isBefore(metadata.validUntil());
    }
  }

  MetadataSource(
      ProviderAddress address,
      ProviderDocuments documents,
      MetadataReader reader,
      Executor background) {
    this.address = address;
    this.documents = documents;
    this.reader = reader;
    this.background = background;
  }

  /**
   * Returns the keys with which an identity provider may sign now; at least one.
   *
   * @throws ProofRefusedException if there are none at present
   */
  List<PublicKey> signingKeys(String issuer, Instant now) {
    SamlMetadata metadata = current(now);
    Entity provider = metadata == null ? null : metadata.providers().get(issuer);
    if (provider == null
        || provider.signingKeys().isEmpty()
        || !now.isBefore(provider.validUntil())) {
      throw new ProofRefusedException(
          ProofRefusal.PROVIDER_UNAVAILABLE,
          "no valid metadata with the provider's signing keys is available at present");
    }
    return provider.signingKeys();
  }

  /**
   * Fetches it now.
   *
   * @throws IOException if it cannot be fetched or is refused; what was known is kept
   */
  void fetch(Instant now) throws IOException {
    try {
      SamlMetadata fresh = reader.read(documents.fetch(address, MAX_BYTES), now);
      Duration wait = fresh.cacheDuration().orElse(REFRESHED_AFTER);
      wait = wait.compareTo(REFRESHED_AFTER) < 0 ? wait : REFRESHED_AFTER;
      wait = wait.compareTo(AT_LEAST_APART) > 0 ? wait : AT_LEAST_APART;
      state = new State(fresh, now.plus(wait));
    } catch (ProofRefusedException e) {
      throw new IOException(address + " is refused as metadata: " + e.detail(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Returns the issuers for which it has no signing key. */
  Set<String> unknown(Set<String> issuers) {
    SamlMetadata metadata = state.metadata();
    return issuers.stream()
        .filter(issuer ->
            metadata == null
                || !metadata.providers().containsKey(issuer)
                || metadata.providers().get(issuer).signingKeys().isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns null if there is no valid metadata. */
  private @Nullable SamlMetadata current(Instant now) {
    State known = state;
    if (known.isValid(now)) {
      if (!now.isBefore(known.due()) && refreshing.compareAndSet(false, true)) {
        refreshInBackground(now);
      }
      return known.metadata();
    }
    if (fetching.tryLock()) {
      try {
        if (!state.isValid(now) && !now.isBefore(state.due())) {
          tryToFetch(now);
        }
      } finally {
        fetching.unlock();
      }
    }
    return state.isValid(now) ? state.metadata() : null;
  }

  private void refreshInBackground(Instant now) {
    background.execute(() -> {
      try {
        tryToFetch(now);
      } finally {
        refreshing.set(false);
      }
    });
  }

  private void tryToFetch(Instant now) {
    try {
      fetch(now);
    } catch (IOException e) {
      State known = state;
      state = new State(known.metadata(), now.plus(RETRIED_AFTER));
      log.warn(
          "{}; {}",
          e.getMessage(),
          known.metadata() == null
              ? "there is no other"
              : "the one before is valid until " + known.metadata().validUntil());
    }
  }
}
