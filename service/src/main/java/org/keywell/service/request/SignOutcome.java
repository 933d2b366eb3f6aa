package org.keywell.service.request;

import org.jspecify.annotations.Nullable;
import org.keywell.ca.CaChain;

/** How a request that was accepted ended: as it is put on record, and as it is read from there. */
public sealed interface SignOutcome {

  /** The key that it was given; null if there was none, or it went back unused. */
  @Nullable KeyUse keyUse();

  /**
   * Signed and certified, and the key destroyed or counted as an orphan.
   *
   * @param chain the certificates above the signer's, as they were when it was certified
   */
  record Signed(
      byte[] signature, byte[] certificate, String certificateSerial, CaChain chain, KeyUse keyUse)
      implements SignOutcome {}

  /**
   * Not signed; a key that was leased has been destroyed.
   *
   * @param detail for the caller; holds no personal data; null if a later transaction closed the
   *     request
   */
  record Failed(FailureReason reason, @Nullable String detail, @Nullable KeyUse keyUse)
      implements SignOutcome {}

  /** The deadline passed before a key signed; one that could not go back has been destroyed. */
  record Expired(@Nullable KeyUse keyUse) implements SignOutcome {

    /** No key was given to it, or it went back. */
    public Expired() {
      this(null);
    }
  }
}
