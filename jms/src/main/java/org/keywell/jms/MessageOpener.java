package org.keywell.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.protection.Opened;
import org.keywell.protection.Opener;
import org.keywell.protection.ProtectionException;
import org.keywell.settings.JmsProtection.Quality;

/** Opens messages that have exactly one quality. Thread-safe. */
final class MessageOpener {

  /** Of signature, certificates and header. */
  static final int MOST_BESIDE_BODY = 64 * 1024;

  /** Of senders that use a key for several messages. */
  private static final int KNOWN_KEYS = 1_000;

  private record Current(MessageKeys keys, Opener opener) {}

  private final Quality quality;
  private final int maxBytes;
  private final Supplier<MessageKeys> keys;
  private volatile @Nullable Current current;

  /**
   * @param maxBodyBytes of JSON
   * @param keys as they are now
   */
  MessageOpener(Quality quality, int maxBodyBytes, Supplier<MessageKeys> keys) {
    this.quality = quality;
    this.maxBytes = maxBodyBytes + MOST_BESIDE_BODY;
    this.keys = keys;
  }

  /** Thrown for a message that is not protected as it has to be. */
  static final class ClosedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final Fault fault;

    ClosedException(Fault fault, String message) {
      super(message);
      this.fault = fault;
    }

    Incoming.Poison poison() {
      return new Incoming.Poison(fault, null, String.valueOf(getMessage()), null);
    }
  }

  /**
   * Opens a message.
   *
   * @throws ClosedException if it is not protected as it has to be
   */
  Opened open(Delivery delivery) throws JMSException, ClosedException {
    if (delivery.unread() != null) {
      throw new ClosedException(delivery.unread().fault(), delivery.unread().detail());
    }
    if (!(delivery.message() instanceof BytesMessage bytes)) {
      throw new ClosedException(Fault.WRONG_TYPE, "the message has no bytes");
    }
    if (bytes.getBodyLength() > maxBytes) {
      throw new ClosedException(
          Fault.BODY_TOO_LARGE,
          "the message is larger than keywell.sign.max-body and 64 KiB: %s bytes"
              .formatted(maxBytes));
    }
    byte[] sealed = new byte[(int) bytes.getBodyLength()];
    int _ = bytes.readBytes(sealed);
    try {
      return opener().open(sealed);
    } catch (ProtectionException e) {
      throw new ClosedException(Fault.of(e.fault()), String.valueOf(e.getMessage()));
    }
  }

  private Opener opener() {
    MessageKeys now = keys.get();
    Current known = current;
    if (known == null || !known.keys.equals(now)) {
      known = new Current(now, make(now));
      current = known;
    }
    return known.opener;
  }

  private Opener make(MessageKeys own) {
    return switch (quality) {
      case NONE -> throw new IllegalStateException("messages without protection are not opened");
      case INTEGRITY -> Opener.integrity(maxBytes);
      case PRIVACY -> Opener.privacy(maxBytes, of(own).key(), of(own).chain().getFirst());
      case CONFIDENTIALITY ->
          Opener.confidentiality(maxBytes, of(own).key(), of(own).chain().getFirst(), KNOWN_KEYS);
    };
  }

  private static MessageKeys.Own of(MessageKeys own) {
    return Objects.requireNonNull(own.decryption(), "keywell.jms.decryption-bundle");
  }
}
