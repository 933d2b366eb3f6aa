package org.keywell.signing.request;

import java.time.Duration;

/** How an act of signing proceeds, and what its caller gets. */
public sealed interface SigningForm {

  /** In one call: the digests themselves are signed, and the first signature proves possession. */
  record Bare() implements SigningForm {}

  /** In one call: the certificate comes first, and each signature is put into a container. */
  record Contained(Container container) implements SigningForm {}

  /**
   * In two calls: the first returns the certificate, the second brings the digests.
   *
   * @param digests how many there will be
   * @param timeToLive from the answer to the first call until the key is destroyed
   */
  record InTwoCalls(int digests, Duration timeToLive) implements SigningForm {}
}
