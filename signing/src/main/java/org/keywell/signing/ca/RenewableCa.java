package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certification;
import org.keywell.ca.Certification.Reason;
import org.keywell.ca.Certification.Refused;
import org.keywell.ca.CertificationRequest;
import org.keywell.keypool.hsm.pkcs11.ModuleUser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A CA whose key is in a token that may be reopened: then the CA is reopened, too, with a new
 * instance of SunPKCS11. While the token is being reopened, requests wait for a bounded time. A CA
 * whose key fails is also reopened, since SunPKCS11 never gives up a lost session and keeps using
 * it.
 *
 * <p>Thread-safe.
 */
final class RenewableCa implements CertificateAuthority, ModuleUser {

  /** Longer than a successful reopening takes. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  /** Each renewal leaves an instance of SunPKCS11 in memory. */
  private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(RenewableCa.class);

  private static final String HSM_AWAY = "its HSM is being reopened, or hangs";
  private static final String NOT_OPEN_YET = "it could not be reopened yet";

  /** Makes calls of the module, monitored by its device; empty if a call was not made. */
  @FunctionalInterface
  interface Use {
    <T> Optional<T> call(Duration maxWait, Supplier<T> call);
  }

  private final String device;
  private final LongFunction<CertificateAuthority> opener;
  private final LongSupplier slotId;
  private final BooleanSupplier deviceIsOpen;
  private final Use use;
  private final LongSupplier nanoClock;

  /** The CA opened last. Its certificates outlive its key. */
  private volatile CertificateAuthority last;

  private volatile boolean retired;
  private long renewedNanos;

  /**
   * Opens the CA.
   *
   * @param device the device's name
   * @param opener opens it by the token's slot
   * @param slotId the current slot
   * @param deviceIsOpen asks the token whether the process is logged in: otherwise the PIN would be
   *     tried here, where it is not known whether it was refused before, and a device that has not
   *     noticed the loss of its login would share the new login
   * @param use makes the calls of the module
   */
  RenewableCa(
      String device,
      LongFunction<CertificateAuthority> opener,
      LongSupplier slotId,
      BooleanSupplier deviceIsOpen,
      Use use,
      LongSupplier nanoClock) {
    this.device = device;
    this.opener = opener;
    this.slotId = slotId;
    this.deviceIsOpen = deviceIsOpen;
    this.use = use;
    this.nanoClock = nanoClock;
    this.last = opener.apply(slotId.getAsLong());
    // The first renewal may come at once: nothing is left behind yet.
    this.renewedNanos = nanoClock.getAsLong() - BETWEEN_RENEWALS.toNanos();
  }

  @Override
  public Certification certify(CertificationRequest request) {
    // A retired CA must not be used: its session numbers belong to others by now.
    return use.call(MAX_WAIT, () -> certifyOrRenew(request)).orElseGet(() -> unavailable(HSM_AWAY));
  }

  /** If the CA is unavailable, reopens it if due and requests the certificate again. */
  private Certification certifyOrRenew(CertificationRequest request) {
    if (retired) {
      return unavailable(NOT_OPEN_YET);
    }
    Certification answer = last.certify(request);
    if (!(answer instanceof Refused refused) || refused.reason() != Reason.CA_UNAVAILABLE) {
      return answer;
    }
    renewIfDue(refused);
    return retired ? answer : last.certify(request);
  }

  @Override
  public boolean isValid() {
    return last.isValid();
  }

  /** Reopens the CA if its key does not prove itself, then tests it again. */
  @Override
  public Optional<Refused> prove() {
    return use.call(MAX_WAIT, this::proveOrRenew)
        .orElseGet(() -> Optional.of(unavailable(HSM_AWAY)));
  }

  private Optional<Refused> proveOrRenew() {
    Optional<Refused> refused = proveNow();
    boolean mayHelp =
        refused.isPresent()
            && refused.get().reason() == Reason.CA_UNAVAILABLE
            && renewIfDue(refused.get());
    return mayHelp ? proveNow() : refused;
  }

  private Optional<Refused> proveNow() {
    return retired ? Optional.of(unavailable(NOT_OPEN_YET)) : last.prove();
  }

  @Override
  public List<X509Certificate> chain() {
    return last.chain();
  }

  @Override
  public void retire() {
    retired = true;
  }

  @Override
  public void renew(long newSlotId) {
    openAnew(newSlotId);
  }

  /** Makes others that failed meanwhile wait. Returns whether it was due. */
  private synchronized boolean renewIfDue(Refused refused) {
    boolean due =
        nanoClock.getAsLong() - renewedNanos >= BETWEEN_RENEWALS.toNanos()
            && deviceIsOpen.getAsBoolean();
    if (due) {
      log.warn("the CA in {} is reopened, since its key failed: {}", device, refused.detail());
      openAnew(slotId.getAsLong());
    }
    return due;
  }

  private synchronized void openAnew(long inSlot) {
    renewedNanos = nanoClock.getAsLong();
    try {
      last = opener.apply(inSlot);
      retired = false;
      log.info("reopened the CA in {}", device);
    } catch (RuntimeException e) {
      log.error("the CA in {} cannot be reopened, and is retried: {}", device, e.toString());
    }
  }

  private static Refused unavailable(String detail) {
    return new Refused(Reason.CA_UNAVAILABLE, detail);
  }
}
