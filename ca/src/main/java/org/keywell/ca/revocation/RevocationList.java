package org.keywell.ca.revocation;

import java.math.BigInteger;
import java.net.URI;
import java.time.Instant;
import java.util.List;

/**
 * What a list says.
 *
 * @param shard whose certificates it is about
 * @param addresses where it is published, as the certificates say; a validator takes the list for
 *     theirs only if they have one in common
 * @param number larger than that of any earlier list of this shard
 * @param thisUpdate when it was made, in whole seconds
 * @param nextUpdate when there will be a newer one, at the latest
 */
public record RevocationList(
    CrlShard shard,
    List<URI> addresses,
    BigInteger number,
    Instant thisUpdate,
    Instant nextUpdate,
    List<Revocation> revocations) {

  public RevocationList {
    addresses = List.copyOf(addresses);
    revocations = List.copyOf(revocations);
  }
}
