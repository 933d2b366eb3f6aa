package org.keywell.service.request;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How an act of signing ended: as it is put on record, and as it is read from there. */
public sealed interface SignOutcome {

  /** The key that it was given; null if there was none, or it went back unused. */
  @Nullable KeyUse keyUse();

  /** The key's certificate; null if none was issued. Unused, unless the act was signed. */
  @Nullable IssuedCertificate issued();

  /**
   * Signed and certified, and the key destroyed or counted as an orphan.
   *
   * @param signatures of the digests, in their order; at least one
   * @param signedAttributes what was signed in place of each digest, DER (RFC 5652, section 5.4);
   *     empty where the digests themselves were
   */
  record Signed(
      List<byte[]> signatures,
      List<byte[]> signedAttributes,
      IssuedCertificate issued,
      KeyUse keyUse)
      implements SignOutcome {

    public Signed {
      signatures = List.copyOf(signatures);
      signedAttributes = List.copyOf(signedAttributes);
    }
  }

  /**
   * Not signed; a key that was leased has been destroyed.
   *
   * @param detail for the caller; holds no personal data; null if a later transaction closed the
   *     request
   */
  record Failed(
      FailureReason reason,
      @Nullable String detail,
      @Nullable KeyUse keyUse,
      @Nullable IssuedCertificate issued)
      implements SignOutcome {

    /** Before a certificate was issued. */
    public Failed(FailureReason reason, @Nullable String detail, @Nullable KeyUse keyUse) {
      this(reason, detail, keyUse, null);
    }
  }

  /**
   * The deadline passed before a key signed, or an open act's time is over; a key that could not go
   * back has been destroyed.
   */
  record Expired(@Nullable KeyUse keyUse, @Nullable IssuedCertificate issued)
      implements SignOutcome {

    /** No key was given to it, or it went back. */
    public Expired() {
      this(null, null);
    }

    /** Before a certificate was issued. */
    public Expired(KeyUse keyUse) {
      this(keyUse, null);
    }
  }
}
