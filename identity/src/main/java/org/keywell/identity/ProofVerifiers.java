package org.keywell.identity;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * All ticket formats that this instance accepts. A ticket is checked on its request's own thread;
 * memory and sign threads limit how many at a time. Thread-safe.
 */
public final class ProofVerifiers {

  private final Map<ProofType, ProofVerifier> byType;
  private final long maxLength;
  private final Semaphore checks;

  /**
   * @param byType without formats for which no provider is configured
   * @param maxLength of a ticket, in characters
   * @param maxChecks tickets that are checked at the same time
   */
  public ProofVerifiers(Map<ProofType, ProofVerifier> byType, long maxLength, int maxChecks) {
    this.byType = Map.copyOf(byType);
    this.maxLength = maxLength;
    this.checks = new Semaphore(maxChecks);
  }

  /**
   * Checks a ticket as {@link ProofVerifier#verify} does.
   *
   * @param patience how long to wait while the limit of concurrent checks is reached
   * @throws ProofRefusedException if it does not prove who signs, or cannot be checked in time
   */
  public ProvenIdentity verify(
      ProofType type, String ticket, ProofContext context, Duration patience) {
    if (ticket.length() > maxLength) {
      throw new ProofRefusedException(
          ProofRefusal.MALFORMED,
          "the ticket is longer than keywell.identity.max-ticket, %d bytes".formatted(maxLength));
    }
    ProofVerifier verifier = byType.get(type);
    if (verifier == null) {
      throw new ProofRefusedException(
          ProofRefusal.UNTRUSTED,
          "keywell.identity.providers-file names no provider of " + type.label());
    }
    if (!begin(patience)) {
      throw new ProofRefusedException(
          ProofRefusal.BUSY, "keywell.identity.max-checks tickets are already being checked");
    }
    try {
      return verifier.verify(ticket, context);
    } finally {
      checks.release();
    }
  }

  private boolean begin(Duration patience) {
    try {
      return checks.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
