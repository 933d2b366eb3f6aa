package org.keywell.signing.stamp;

import java.time.Duration;

/**
 * What a time server says of this machine's clock.
 *
 * @param offset of the server's time from the clock's; positive if the clock is slow
 * @param error how wrong the offset may be, by the network's delay and by the server's own distance
 *     from its source (RFC 5905, section 11.2)
 */
public record NtpAnswer(Duration offset, Duration error) {

  /** Returns how far the clock may be from the true time. */
  Duration bound() {
    return offset.abs().plus(error);
  }
}
