package org.keywell.jms;

import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.protection.MessageSigner;
import org.keywell.protection.Sealer;
import org.keywell.settings.JmsProtection.Quality;

/**
 * Protects the answers of a queue: one sealer for each recipient, since some use a key several
 * times. Thread-safe.
 */
final class Sealers {

  private static final int MOST = 1_000;

  private final Quality quality;
  private final long messagesPerKey;
  private final Supplier<MessageKeys> keys;
  private @Nullable MessageKeys current;

  private final Map<Optional<X509Certificate>, Sealer> sealers =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Optional<X509Certificate>, Sealer> eldest) {
          return size() > MOST;
        }
      };

  /**
   * @param messagesPerKey encrypted with one key where they are not signed; 0: as many as may be
   * @param keys as they are now
   */
  Sealers(Quality quality, int messagesPerKey, Supplier<MessageKeys> keys) {
    this.quality = quality;
    this.messagesPerKey = messagesPerKey == 0 ? Sealer.UNLIMITED_REUSE : messagesPerKey;
    this.keys = keys;
  }

  /**
   * Returns one that protects answers for a recipient.
   *
   * @param recipient empty: answers are not encrypted
   */
  synchronized Sealer to(Optional<X509Certificate> recipient) {
    MessageKeys now = keys.get();
    if (!now.equals(current)) {
      sealers.clear();
      current = now;
    }
    return sealers.computeIfAbsent(recipient, to -> make(now, to));
  }

  private Sealer make(MessageKeys own, Optional<X509Certificate> recipient) {
    return switch (quality) {
      case NONE -> throw new IllegalStateException("answers without protection are not sealed");
      case INTEGRITY -> Sealer.integrity(signer(own));
      case PRIVACY -> Sealer.privacy(signer(own), recipient.orElseThrow());
      case CONFIDENTIALITY -> Sealer.confidentiality(recipient.orElseThrow(), messagesPerKey);
    };
  }

  private static MessageSigner signer(MessageKeys own) {
    return Objects.requireNonNull(own.signing(), "keywell.jms.signing-bundle").signer();
  }
}
