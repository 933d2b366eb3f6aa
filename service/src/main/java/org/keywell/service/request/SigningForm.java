package org.keywell.service.request;

import java.time.Duration;

/** How an act of signing goes, and what its caller gets. */
public sealed interface SigningForm {

  /** In one call: the digests themselves are signed, and the first signature proves possession. */
  record Bare() implements SigningForm {}

  /** In one call: the certificate comes first, and each digest's signature is put into one. */
  record Contained(Container container) implements SigningForm {}

  /**
   * In two calls: the first one answers the certificate, the second one brings the digests.
   *
   * @param digests how many there will be
   * @param timeToLive from the answer to the first call until the key is destroyed
   */
  record InTwoCalls(int digests, Duration timeToLive) implements SigningForm {}
}
