package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certification;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.keypool.log.LogPace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests certificates from the CA whose key is in one device, and tracks its state by the
 * answers. After {@link #FAILURES} failures in a row it counts as down, until it proves itself.
 *
 * <p>Thread-safe; allocates nothing itself while the CA works.
 */
public final class CaWatch {

  /** Failures in a row after which the CA is down. */
  public static final int FAILURES = 5;

  /** A look through the token's objects is slow while many keys are loaded. */
  static final Duration BETWEEN_REFRESHES = Duration.ofSeconds(20);

  private static final Logger log = LoggerFactory.getLogger(CaWatch.class);

  /**
   * Failures in a row.
   *
   * @param detail of the last one
   * @param inARow how many, at least 1
   * @param lastNanos when the last one was reported, by the clock of elapsed time
   */
  public record Failure(String detail, int inARow, long lastNanos) {}

  private final String device;
  private volatile CertificateAuthority ca;
  private final OcspSigners responders;
  private final BooleanSupplier deviceFails;
  private final LongSupplier nanoClock;

  /** Null unless the CA has failed since its last success. */
  private final AtomicReference<@Nullable Failure> failing = new AtomicReference<>();

  private volatile @Nullable Failure last;
  private long refreshedNanos;
  private @Nullable X509Certificate unanswered;
  private final AtomicLong wrongSignatures = new AtomicLong();
  private final LogPace wrongSignatureLines;

  /**
   * @param device the name of the device
   * @param deviceFails whether the device is known not to sign; called on several threads, must not
   *     block
   */
  public CaWatch(
      String device, CertificateAuthority ca, BooleanSupplier deviceFails, LongSupplier nanoClock) {
    this(device, ca, OcspSigners.NONE, deviceFails, nanoClock);
  }

  CaWatch(
      String device,
      CertificateAuthority ca,
      OcspSigners responders,
      BooleanSupplier deviceFails,
      LongSupplier nanoClock) {
    this.device = device;
    this.ca = ca;
    this.responders = responders;
    this.deviceFails = deviceFails;
    this.nanoClock = nanoClock;
    this.refreshedNanos = nanoClock.getAsLong();
    this.wrongSignatureLines = new LogPace(nanoClock);
  }

  /** Returns the name of the device that holds its key. */
  public String device() {
    return device;
  }

  /** As {@link CertificateAuthority#certify}. */
  public Certification certify(CertificationRequest request) {
    Certification answer = ca.certify(request);
    switch (answer) {
      case Certification.Certified certified -> succeeded();
      case Certification.Refused refused -> {
        switch (refused.reason()) {
          case CA_UNAVAILABLE -> failed(refused.detail());
          case CA_SIGNATURE_WRONG -> signedWrongly(refused);
          // They concern the key, or the calendar, for which see isValid.
          case POSSESSION_NOT_PROVEN,
              KEY_NOT_ALLOWED,
              PROFILE_UNKNOWN,
              SUBJECT_NOT_ALLOWED,
              CA_NOT_VALID -> {}
        }
      }
    }
    return answer;
  }

  /** As {@link CertificateAuthority#sign}; not counted, since a proof follows if it is down. */
  public ListAnswer sign(RevocationList list) {
    return ca.sign(list);
  }

  /** As {@link CertificateAuthority#isValid}. */
  public boolean isValid() {
    return ca.isValid();
  }

  /** As {@link CertificateAuthority#chain}. */
  public List<X509Certificate> chain() {
    return ca.chain();
  }

  /** Whether nothing known prevents it from issuing. Does no I/O, allocates nothing. */
  public boolean canIssue() {
    return !isDown() && !deviceFails.getAsBoolean() && ca.isValid();
  }

  /** Whether the CA failed so often in a row that only a proof or a certificate clears it. */
  public boolean isDown() {
    Failure failure = failing.get();
    return failure != null && failure.inARow() >= FAILURES;
  }

  /** Returns the last failure, over or not; empty if there was none. */
  public Optional<Failure> lastFailure() {
    return Optional.ofNullable(last);
  }

  /**
   * Returns how many certificates it did not issue because its own signature was wrong; proofs not
   * counted.
   */
  public long wrongSignatures() {
    return wrongSignatures.get();
  }

  /** As {@link CertificateAuthority#chains}. */
  public List<List<X509Certificate>> chains() {
    return ca.chains();
  }

  /** Returns what answers OCSP requests: one for each of its keys that has certified one. */
  public List<OcspSigner> responders() {
    return responders.all();
  }

  /**
   * Makes a CA that is down prove itself; now and then has one that works look for a newer key. To
   * be called by one thread.
   */
  void look() {
    if (isDown()) {
      ca.prove().ifPresentOrElse(refused -> failed(refused.detail()), this::succeeded);
    } else if (nanoClock.getAsLong() - refreshedNanos >= BETWEEN_REFRESHES.toNanos()) {
      refreshedNanos = nanoClock.getAsLong();
      X509Certificate before = chain().getFirst();
      ca = ca.refreshed();
      X509Certificate certificate = chain().getFirst();
      if (!certificate.equals(before)) {
        log.info(
            "the CA in {} certifies by another key or certificate, valid until {}",
            device,
            certificate.getNotAfter().toInstant());
      }
      if (responders.lacks(certificate) && !certificate.equals(unanswered)) {
        unanswered = certificate;
        log.warn(
            "certificates by the CA in {} name no OCSP responder, since its key has certified"
                + " none: run bootstrap",
            device);
      }
    }
  }

  private void signedWrongly(Certification.Refused refused) {
    wrongSignatures.incrementAndGet();
    long told = wrongSignatureLines.due(1);
    if (told > 0) {
      log.error("the CA in {}: {} ({} since the last such line)", device, refused.detail(), told);
    }
    failed(refused.detail());
  }

  private void succeeded() {
    if (failing.get() == null) {
      return;
    }
    Failure before = failing.getAndSet(null);
    if (before != null && before.inARow() >= FAILURES) {
      log.info("the CA in {} works again", device);
    }
  }

  private void failed(String detail) {
    long now = nanoClock.getAsLong();
    Failure failure =
        Objects.requireNonNull(
            failing.updateAndGet(
                before -> new Failure(detail, before == null ? 1 : before.inARow() + 1, now)));
    last = failure;
    if (failure.inARow() == FAILURES) {
      log.error(
          "the CA in {} failed {} times in a row, and is asked no more until it proves itself: {}",
          device,
          FAILURES,
          detail);
    }
  }
}
