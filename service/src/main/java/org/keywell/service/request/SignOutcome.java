package org.keywell.service.request;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an act of signing has come to: as it is put on record, and as it is read from there. All but
 * {@link Opened} are ends.
 */
public sealed interface SignOutcome {

  /** The key that it was given, and its end; null if there was none, or it has not ended. */
  @Nullable KeyUse keyUse();

  /** The key's certificate; null if none was issued. Unused, unless the act was signed. */
  @Nullable IssuedCertificate issued();

  /**
   * In two calls: the key is certified, and waits for the digests.
   *
   * @param key destroyed by nobody yet
   * @param expires when it will be if it has not signed
   */
  record Opened(IssuedCertificate issued, KeyUse key, Instant opened, Instant expires)
      implements SignOutcome {

    /** The key has not ended. */
    @Override
    public @Nullable KeyUse keyUse() {
      return null;
    }
  }

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

  /** In two calls: its caller gave it up between them, and the key has been destroyed. */
  record Cancelled(@Nullable KeyUse keyUse, @Nullable IssuedCertificate issued)
      implements SignOutcome {}
}
