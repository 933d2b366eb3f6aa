package org.keywell.signing.sign;

import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.keywell.ca.Certification;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.ProofOfPossession.SignedDigest;
import org.keywell.ca.cms.SignedAttributes;
import org.keywell.ca.issuance.DigestSignatures;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.log.LogPace;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.request.Container;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a leased key does between lease and destruction: it signs, proves possession and is
 * certified, in the order of its act's form. Methods return the outcome, except for the key's
 * destruction, which follows. No signature is released unverified: the CA verifies the one that
 * proves possession, this class the others. Thread-safe.
 */
final class KeyWork {

  private static final Logger log = LoggerFactory.getLogger(KeyWork.class);

  private static final Certification.Refused NOT_PROVEN =
      new Certification.Refused(
          Certification.Reason.POSSESSION_NOT_PROVEN, "no signature verifies with the public key");

  private final IssuingCas cas;
  private final KeyProof keyProof = new KeyProof(new SecureRandom());
  private final LogPace wrongSignatureLines = new LogPace(System::nanoTime);

  KeyWork(IssuingCas cas) {
    this.cas = cas;
  }

  /** Signs first: the CA verifies the first signature as proof of possession. */
  Function<KeyUse, SignOutcome> signThenCertify(KeyLease lease, PendingRequest pending) {
    return sign(
        lease,
        pending,
        pending.request().digests(),
        1,
        signatures -> certify(lease, pending, signatures));
  }

  private Function<KeyUse, SignOutcome> certify(
      KeyLease lease, PendingRequest pending, List<byte[]> signatures) {
    Certification certification =
        cas.certify(
            lease.device(),
            CertificationRequests.of(pending.request(), lease.publicKey(), signatures.getFirst()));
    return switch (certification) {
      case Certification.Certified certified -> {
        lease.signed(true);
        pending.times().mark(Stage.CERTIFIED);
        IssuedCertificate issued = issued(certified);
        yield use -> new SignOutcome.Signed(signatures, List.of(), issued, use);
      }
      case Certification.Refused refused -> notCertified(refused, lease, pending);
    };
  }

  /** Certifies first: the signed data names the certificate. */
  Function<KeyUse, SignOutcome> certifyThenSign(
      KeyLease lease, PendingRequest pending, Container container) {
    return certifyFirst(lease, pending)
        .orElseGet(() ->
            signContained(lease, pending, container, Objects.requireNonNull(pending.issued())));
  }

  /**
   * Has the key prove possession and be certified, before it signs anything of the act. If it does
   * not sign after all, the certificate is on record as unused.
   *
   * @return why it is not certified, or must not sign; empty if it is certified
   */
  Optional<Function<KeyUse, SignOutcome>> certifyFirst(KeyLease lease, PendingRequest pending) {
    SignRequest request = pending.request();
    ProofOfPossession possession;
    try {
      possession = keyProof.of(lease, request);
    } catch (HsmException e) {
      return Optional.of(didNotSign(e, pending));
    } catch (IllegalArgumentException e) {
      return Optional.of(
          notCertified(
              new Certification.Refused(Certification.Reason.KEY_NOT_ALLOWED, e.toString()),
              lease,
              pending));
    }
    if (pending.hasEnded()) {
      return Optional.of(signedTooLate(pending));
    }
    Certification certification =
        cas.certify(
            lease.device(), CertificationRequests.of(request, lease.publicKey(), possession));
    return switch (certification) {
      case Certification.Certified certified -> {
        lease.signed(true);
        pending.times().mark(Stage.CERTIFIED);
        IssuedCertificate issued = issued(certified);
        pending.certified(issued);
        if (pending.hasEnded()) {
          log.atWarn()
              .addKeyValue(SignRequest.ID_IN_LOGS, request.requestId())
              .log(
                  "request {} had been ended when its key was certified; certificate {} is not used"
                      + " and may not be on record",
                  request.requestId(),
                  issued.serial());
          yield Optional.of(signedTooLate(pending));
        }
        yield Optional.empty();
      }
      case Certification.Refused refused -> Optional.of(notCertified(refused, lease, pending));
    };
  }

  private Function<KeyUse, SignOutcome> signContained(
      KeyLease lease, PendingRequest pending, Container container, IssuedCertificate issued) {
    List<SignedAttributes> attributes =
        Containers.attributes(
            pending.request(),
            container,
            issued,
            pending.times().at(Stage.CERTIFIED).orElseThrow());
    List<byte[]> signed = attributes.stream().map(SignedAttributes::der).toList();
    return sign(
        lease,
        pending,
        attributes.stream()
            .map(each -> each.toSign(CertificationRequests.scheme(pending.request().scheme())))
            .toList(),
        0,
        signatures -> use -> new SignOutcome.Signed(signatures, signed, issued, use));
  }

  /** Signs the digests of an open act. */
  Function<KeyUse, SignOutcome> signOpen(
      KeyLease lease, PendingRequest pending, IssuedCertificate issued) {
    return pending.left().isPositive()
        ? sign(
            lease,
            pending,
            pending.request().digests(),
            0,
            signatures -> use -> new SignOutcome.Signed(signatures, List.of(), issued, use))
        : use -> new SignOutcome.Expired(use, issued);
  }

  /**
   * @param verifiedByCa how many of the first signatures prove possession, 0 or 1
   * @param then derives the outcome from the signatures, if all are in time and the others verify
   */
  private Function<KeyUse, SignOutcome> sign(
      KeyLease lease,
      PendingRequest pending,
      List<byte[]> digests,
      int verifiedByCa,
      Function<List<byte[]>, Function<KeyUse, SignOutcome>> then) {
    SignRequest request = pending.request();
    List<byte[]> signatures;
    try {
      signatures = lease.sign(request.scheme(), request.digestAlgorithm(), digests);
    } catch (HsmException e) {
      return didNotSign(e, pending);
    }
    if (pending.hasEnded()) {
      return signedTooLate(pending);
    }
    List<SignedDigest> signed = CertificationRequests.signed(request, digests, signatures);
    byte[] publicKey = lease.publicKey();
    if (!DigestSignatures.allVerify(publicKey, signed.subList(verifiedByCa, signed.size()))) {
      // If not even the proof verifies, the stored public key may be wrong, as the CA would say.
      return DigestSignatures.allVerify(publicKey, signed.subList(0, verifiedByCa))
          ? signedWrongly(lease, pending)
          : notCertified(NOT_PROVEN, lease, pending);
    }
    // One verdict per act: if the CA verifies the proof, it has the last word.
    if (verifiedByCa == 0) {
      lease.signed(true);
    }
    pending.times().mark(Stage.SIGNED);
    return then.apply(signatures);
  }

  /** Fails the request and blames the device: the key had proved itself. */
  private Function<KeyUse, SignOutcome> signedWrongly(KeyLease lease, PendingRequest pending) {
    lease.signed(false);
    long told = wrongSignatureLines.due(1);
    if (told > 0) {
      log.atError()
          .addKeyValue(SignRequest.ID_IN_LOGS, pending.request().requestId())
          .log(
              "HSM {} signed wrongly: a signature does not verify with its key, and its request {}"
                  + " fails ({} since the last such line)",
              lease.device(),
              pending.request().requestId(),
              told);
    }
    return failedWith(FailureReason.HSM_UNAVAILABLE, "the HSM signed wrongly", pending);
  }

  private static IssuedCertificate issued(Certification.Certified certified) {
    return new IssuedCertificate(
        certified.certificate(), certified.serial().toString(16), certified.issuedUnder());
  }

  private static Function<KeyUse, SignOutcome> didNotSign(HsmException e, PendingRequest pending) {
    FailureReason reason = deviceFailure(pending.request(), "sign", e);
    return failedWith(reason, "the HSM did not sign", pending);
  }

  private static Function<KeyUse, SignOutcome> signedTooLate(PendingRequest pending) {
    return failedWith(FailureReason.HSM_UNAVAILABLE, "the HSM signed too late", pending);
  }

  private static Function<KeyUse, SignOutcome> notCertified(
      Certification.Refused refused, KeyLease lease, PendingRequest pending) {
    SignRequest request = pending.request();
    log.atError()
        .addKeyValue(SignRequest.ID_IN_LOGS, request.requestId())
        .log(
            "request {}, key {}: not certified: {}: {}",
            request.requestId(),
            lease.stored().map(stored -> Long.toString(stored.id())).orElse("on the fly"),
            refused.reason(),
            refused.detail());
    FailureReason reason =
        switch (refused.reason()) {
          case POSSESSION_NOT_PROVEN -> {
            // Or the device signed wrongly: only a test of the device can tell.
            lease.signed(false);
            yield FailureReason.KEY_REFUSED;
          }
          case KEY_NOT_ALLOWED -> FailureReason.KEY_REFUSED;
          case CA_UNAVAILABLE, CA_SIGNATURE_WRONG, CA_NOT_VALID -> FailureReason.CA_UNAVAILABLE;
          // A defect: requests are checked against their profile before acceptance.
          case PROFILE_UNKNOWN, SUBJECT_NOT_ALLOWED -> FailureReason.INTERNAL;
        };
    return failedWith(reason, "the CA refused: " + refused.reason(), pending);
  }

  /** Handles what no caller or device can cause. */
  static Function<KeyUse, SignOutcome> defect(RuntimeException cause, PendingRequest pending) {
    log.atError()
        .setCause(cause)
        .addKeyValue(SignRequest.ID_IN_LOGS, pending.request().requestId())
        .log("request {} failed unexpectedly", pending.request().requestId());
    return failedWith(FailureReason.INTERNAL, "see the service's log", pending);
  }

  static FailureReason deviceFailure(SignRequest request, String what, HsmException e) {
    log.atError()
        .addKeyValue(SignRequest.ID_IN_LOGS, request.requestId())
        .log("request {}: the HSM did not {}: {}", request.requestId(), what, e.getMessage());
    return FailureReason.HSM_UNAVAILABLE;
  }

  /** Fails the request; a certificate issued before is on record as unused. */
  private static Function<KeyUse, SignOutcome> failedWith(
      FailureReason reason, String detail, PendingRequest pending) {
    return use -> new SignOutcome.Failed(reason, detail, use, pending.issued());
  }
}
