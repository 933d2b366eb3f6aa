package org.keywell.service.identity.saml;

import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a metadata document says of the identity providers that were asked for.
 *
 * @param providers by entity id
 * @param validUntil when the document ends
 * @param cacheDuration for how long it may be used without looking for a newer one
 */
record SamlMetadata(
    Map<String, Entity> providers, Instant validUntil, Optional<Duration> cacheDuration) {

  /**
   * An identity provider.
   *
   * @param signingKeys that are strong enough; may be none
   * @param validUntil not after that of the document
   */
  record Entity(List<PublicKey> signingKeys, Instant validUntil) {}
}
