package org.keywell.loadgen.messages;

import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.keywell.protection.Content;
import org.keywell.protection.Header;
import org.keywell.protection.KeySigner;
import org.keywell.protection.MessageSigner;
import org.keywell.protection.Opened;
import org.keywell.protection.Opener;
import org.keywell.protection.ProtectionException;
import org.keywell.protection.Sealer;
import org.keywell.protection.SignatureScheme;

/**
 * How requesters, or responders, protect what they send and open what they get. Thread-safe.
 *
 * @param sealer null: messages are sent as they are
 * @param opener null: messages come as they are
 * @param trusted whether the signer of what is opened, if it is signed, is the right one
 */
record Side(
    @Nullable Sealer sealer, @Nullable Opener opener, Predicate<List<X509Certificate>> trusted) {
  private static final int MOST_BYTES = 1 << 16;
  private static final int KNOWN_KEYS = 1_024;

  static Side of(Guard guard, MessagesSite.Party own, MessagesSite.Party peer) {
    return new Side(sealer(guard, own, peer), opener(guard, own), peer.trusted());
  }

  /** Returns a side that signs, and opens what is signed. */
  static Side integrity(MessageSigner signer, Predicate<List<X509Certificate>> trusted) {
    return new Side(Sealer.integrity(signer), Opener.integrity(MOST_BYTES), trusted);
  }

  private static @Nullable Sealer sealer(
      Guard guard, MessagesSite.Party own, MessagesSite.Party peer) {
    return switch (guard) {
      case NONE, TLS -> null;
      case INTEGRITY -> Sealer.integrity(signer(own));
      case PRIVACY -> Sealer.privacy(signer(own), peer.certificate());
      case CONFIDENTIALITY_32 -> Sealer.confidentiality(peer.certificate(), Sealer.DEFAULT_REUSE);
      case CONFIDENTIALITY -> Sealer.confidentiality(peer.certificate(), Sealer.UNLIMITED_REUSE);
    };
  }

  static KeySigner signer(MessagesSite.Party own) {
    return new KeySigner(SignatureScheme.RSASSA_PKCS1_V1_5, own.key(), List.of(own.certificate()));
  }

  private static @Nullable Opener opener(Guard guard, MessagesSite.Party own) {
    return switch (guard) {
      case NONE, TLS -> null;
      case INTEGRITY -> Opener.integrity(MOST_BYTES);
      case PRIVACY -> Opener.privacy(MOST_BYTES, own.key(), own.certificate());
      case CONFIDENTIALITY_32, CONFIDENTIALITY ->
          Opener.confidentiality(MOST_BYTES, own.key(), own.certificate(), KNOWN_KEYS);
    };
  }

  byte[] seal(Header header, byte[] body) {
    return sealer == null ? body : sealer.seal(new Content(header, body));
  }

  /**
   * Returns the body of a message.
   *
   * @param queue where it was received
   * @param request what it answers; null for a request
   * @throws IOException if it is not protected as agreed, or meant for another queue
   */
  byte[] open(byte[] message, String queue, @Nullable String request) throws IOException {
    if (opener == null) {
      return message;
    }
    Opened opened;
    try {
      opened = opener.open(message);
    } catch (ProtectionException e) {
      throw new IOException("a message was refused: " + e.getMessage(), e);
    }
    Header header = opened.content().header();
    if (!header.to().equals(queue)
        || (request != null && !request.equals(header.inReplyTo()))
        || (!opened.signer().isEmpty() && !trusted.test(opened.signer()))) {
      throw new IOException("a message came from or went to somewhere else");
    }
    return opened.content().body();
  }
}
