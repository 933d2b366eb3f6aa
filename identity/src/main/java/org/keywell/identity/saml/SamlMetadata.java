package org.keywell.identity.saml;

import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a metadata document says about the requested identity providers.
 *
 * @param providers by entity id
 * @param validUntil when the document expires
 * @param cacheDuration how long it may be used without looking for a newer one
 */
record SamlMetadata(
    Map<String, Entity> providers, Instant validUntil, Optional<Duration> cacheDuration) {

  /**
   * An identity provider.
   *
   * @param signingKeys only strong enough ones; may be empty
   * @param validUntil not after the document's
   */
  record Entity(List<PublicKey> signingKeys, Instant validUntil) {}
}
