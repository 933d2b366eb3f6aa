package org.keywell.signing.ca;

import java.security.PublicKey;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.keywell.ca.token.CaTokenException;
import org.keywell.ca.token.TokenKey;

/**
 * A key in a token that signs for the service itself: the log, or TLS handshakes.
 *
 * @param sign returns a signature that was verified; empty while the device does not sign.
 *     Thread-safe; not to be called by virtual threads
 */
public record TokenSigner(PublicKey publicKey, Function<byte[], Optional<byte[]>> sign) {

  /** The log's sequencer tries again soon, and so do clients of TLS. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  static TokenSigner of(Renewable<TokenKey> key) {
    return new TokenSigner(
        key.last().publicKey(),
        message ->
            key.call(MAX_WAIT, () -> signOrRenew(key, message)).flatMap(signature -> signature));
  }

  private static Optional<byte[]> signOrRenew(Renewable<TokenKey> key, byte[] message) {
    try {
      return key.usable().map(usable -> usable.sign(message));
    } catch (CaTokenException e) {
      boolean _ = key.renewIfDue(String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }
}
