package org.keywell.signing.request;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an act of signing, as it is recorded and read back. All but {@link Opened} are
 * final.
 */
public sealed interface SignOutcome {

  /** Returns its key and that key's end; null if it had none, or the key has not ended. */
  @Nullable KeyUse keyUse();

  /** Returns the key's certificate; null if none was issued. Unused unless the act was signed. */
  @Nullable IssuedCertificate issued();

  /**
   * In two calls: the key is certified and waits for the digests.
   *
   * @param key not destroyed yet
   * @param expires when it is destroyed if it has not signed
   */
  record Opened(IssuedCertificate issued, KeyUse key, Instant opened, Instant expires)
      implements SignOutcome {

    /** Returns null: the key has not ended. */
    @Override
    public @Nullable KeyUse keyUse() {
      return null;
    }
  }

  /**
   * Signed and certified; the key is destroyed or counted as an orphan.
   *
   * @param signatures one per digest, in their order; at least one
   * @param signedAttributes what was signed instead of each digest, DER (RFC 5652, section 5.4);
   *     empty if the digests themselves were signed
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
   * Not signed; a leased key has been destroyed.
   *
   * @param detail for the caller; contains no personal data; null if a later transaction closed the
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
   * The deadline passed before a key signed, or an open act ran out of time; a key that could not
   * go back has been destroyed.
   */
  record Expired(@Nullable KeyUse keyUse, @Nullable IssuedCertificate issued)
      implements SignOutcome {

    /** It had no key, or its key went back. */
    public Expired() {
      this(null, null);
    }

    /** Before a certificate was issued. */
    public Expired(KeyUse keyUse) {
      this(keyUse, null);
    }
  }

  /** In two calls: the caller cancelled it in between; the key has been destroyed. */
  record Cancelled(@Nullable KeyUse keyUse, @Nullable IssuedCertificate issued)
      implements SignOutcome {}
}
