package org.keywell.protection;

import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/** Protects messages by one quality. Thread-safe if its signer is. */
public final class Sealer {

  /** How many messages share a content key unless said otherwise. */
  public static final long DEFAULT_REUSE = 32;

  /** The most messages that may share a content key: what AES-GCM is good for, with a margin. */
  public static final long UNLIMITED_REUSE = 1L << 32;

  private final Quality quality;
  private final @Nullable MessageSigner signer;
  private final @Nullable ContentKeys keys;

  private Sealer(Quality quality, @Nullable MessageSigner signer, @Nullable ContentKeys keys) {
    this.quality = quality;
    this.signer = signer;
    this.keys = keys;
  }

  /** Signs. */
  public static Sealer integrity(MessageSigner signer) {
    return new Sealer(Quality.INTEGRITY, signer, null);
  }

  /**
   * Signs, then encrypts for the recipient, each message under its own key.
   *
   * @throws IllegalArgumentException unless the recipient has an RSA key of at least 2,048 bits
   *     that may encipher keys
   */
  public static Sealer privacy(MessageSigner signer, X509Certificate recipient) {
    return new Sealer(Quality.PRIVACY, signer, new ContentKeys(recipient, 1));
  }

  /**
   * Encrypts for the recipient.
   *
   * @param reuse how many messages share a content key, from 1 to {@link #UNLIMITED_REUSE}
   * @throws IllegalArgumentException if it is outside that range, or the recipient is as refused by
   *     {@link #privacy}
   */
  public static Sealer confidentiality(X509Certificate recipient, long reuse) {
    if (reuse < 1 || reuse > UNLIMITED_REUSE) {
      throw new IllegalArgumentException("a content key is for 1 to 2^32 messages");
    }
    return new Sealer(Quality.CONFIDENTIALITY, null, new ContentKeys(recipient, reuse));
  }

  /** Returns how this sealer protects. */
  public Quality quality() {
    return quality;
  }

  /**
   * Protects a message.
   *
   * @return a {@code ContentInfo}, DER
   * @throws IllegalStateException if the key cannot sign now
   */
  public byte[] seal(Content content) {
    byte[] message = Entity.write(content);
    if (signer != null) {
      message = SignedMessage.write(message, signer);
    }
    if (keys != null) {
      message = Envelope.write(message, keys);
    }
    return message;
  }
}
