package org.keywell.signing.ca;

import java.security.PublicKey;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.keywell.ca.token.AuditKey;
import org.keywell.ca.token.CaTokenException;
import org.keywell.keypool.hsm.pkcs11.ModuleUser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The key that signs the log's checkpoints, in a token that may be reopened: then the key is
 * reopened, too. So is one that fails, since SunPKCS11 never gives up a lost session. Thread-safe.
 */
public final class RenewableAuditKey implements ModuleUser {

  /** The sequencer tries again soon. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  /** Each renewal leaves an instance of SunPKCS11 in memory. */
  private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(RenewableAuditKey.class);

  private final String device;
  private final LongFunction<AuditKey> opener;
  private final LongSupplier slotId;
  private final BooleanSupplier deviceIsOpen;
  private final RenewableCa.Use use;
  private final LongSupplier nanoClock;
  private volatile AuditKey last;
  private volatile boolean retired;
  private long renewedNanos;

  /** Opens the key; the parameters are those of {@link RenewableCa}. */
  RenewableAuditKey(
      String device,
      LongFunction<AuditKey> opener,
      LongSupplier slotId,
      BooleanSupplier deviceIsOpen,
      RenewableCa.Use use,
      LongSupplier nanoClock) {
    this.device = device;
    this.opener = opener;
    this.slotId = slotId;
    this.deviceIsOpen = deviceIsOpen;
    this.use = use;
    this.nanoClock = nanoClock;
    this.last = opener.apply(slotId.getAsLong());
    this.renewedNanos = nanoClock.getAsLong() - BETWEEN_RENEWALS.toNanos();
  }

  public PublicKey publicKey() {
    return last.publicKey();
  }

  /** As {@link AuditKey#sign}; empty while the device does not sign. */
  public Optional<byte[]> sign(byte[] message) {
    return use.call(MAX_WAIT, () -> signOrRenew(message)).flatMap(signature -> signature);
  }

  private Optional<byte[]> signOrRenew(byte[] message) {
    if (retired) {
      return Optional.empty();
    }
    try {
      return Optional.of(last.sign(message));
    } catch (CaTokenException e) {
      renewIfDue(e);
      return Optional.empty();
    }
  }

  private synchronized void renewIfDue(CaTokenException failure) {
    if (nanoClock.getAsLong() - renewedNanos >= BETWEEN_RENEWALS.toNanos()
        && deviceIsOpen.getAsBoolean()) {
      log.warn(
          "the audit key in {} is reopened, since it failed: {}", device, failure.getMessage());
      open(slotId.getAsLong());
    }
  }

  @Override
  public void retire() {
    retired = true;
  }

  @Override
  public void renew(long newSlotId) {
    open(newSlotId);
  }

  private synchronized void open(long inSlot) {
    renewedNanos = nanoClock.getAsLong();
    try {
      last = opener.apply(inSlot);
      retired = false;
    } catch (RuntimeException e) {
      log.error("the audit key in {} cannot be reopened, and is retried: {}", device, e.toString());
    }
  }
}
