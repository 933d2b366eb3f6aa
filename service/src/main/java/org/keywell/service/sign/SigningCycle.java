package org.keywell.service.sign;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.keywell.ca.Certification;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.cms.SignedAttributes;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.service.ca.IssuingCas;
import org.keywell.service.request.Container;
import org.keywell.service.request.FailureReason;
import org.keywell.service.request.IssuedCertificate;
import org.keywell.service.request.KeyUse;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.RequestTimes.Stage;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;
import org.keywell.service.request.SigningForm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one key: leased, signs for one act, certified, destroyed. Whatever happens after the
 * lease, the key is destroyed before the outcome is returned, unless that is that its act stands
 * open: the act's second call comes here again, or {@link #destroy} ends it. Thread-safe.
 */
public final class SigningCycle {

  private static final Logger log = LoggerFactory.getLogger(SigningCycle.class);

  private final KeySource keySource;
  private final KeyPools pools;
  private final IssuingCas cas;
  private final SigningGate gate;
  private final BiConsumer<UUID, Destruction> lateDestructions;
  private final KeyProof keyProof = new KeyProof(new SecureRandom());

  /**
   * @param gate is asked before each lease: what was admitted may find it closed
   * @param lateDestructions is told of a request whose key the device did not destroy in its cycle,
   *     once another attempt has shown that it is gone; must not block or throw
   */
  public SigningCycle(
      KeySource keySource,
      KeyPools pools,
      IssuingCas cas,
      SigningGate gate,
      BiConsumer<UUID, Destruction> lateDestructions) {
    this.keySource = keySource;
    this.pools = pools;
    this.cas = cas;
    this.gate = gate;
    this.lateDestructions = lateDestructions;
  }

  /**
   * Signs one request and notes each stage in its times. If another ends the work on it meanwhile
   * the outcome means nothing: the key is destroyed all the same, or goes back unused.
   */
  public SignOutcome run(PendingRequest pending) throws InterruptedException {
    SignRequest request = pending.request();
    IssuedCertificate issued = pending.issued();
    if (issued != null) {
      return complete(pending, issued);
    }
    Optional<SigningGate.Closed> closed = gate.closed();
    if (closed.isPresent()) {
      return failed(closed.get().reason(), closed.get().detail());
    }
    if (pools.atOrphanLimit()) {
      return failed(
          FailureReason.ORPHAN_LIMIT, "keywell.pool.max-orphans is reached: " + pools.orphans());
    }
    if (!pending.left().isPositive()) {
      return new SignOutcome.Expired();
    }
    Optional<KeyLease> lease;
    try {
      lease = keySource.lease(request.keySpec(), pending::left);
    } catch (HsmException e) {
      return failed(deviceFailure(request, "generate a key", e), "no key could be generated");
    }
    if (lease.isPresent()) {
      return use(lease.get(), pending);
    }
    return withoutKey(pending);
  }

  /** No key is left, or the devices have failed that had one. */
  private SignOutcome withoutKey(PendingRequest pending) {
    if (!pending.left().isPositive()) {
      return new SignOutcome.Expired();
    }
    return gate.closed()
        .map(closed -> failed(closed.reason(), closed.detail()))
        .orElseGet(() ->
            failed(
                FailureReason.POOL_EMPTY,
                "no " + pending.request().keySpec() + " key is left in the pool"));
  }

  private SignOutcome use(KeyLease lease, PendingRequest pending) {
    RequestTimes times = pending.times();
    times.mark(Stage.REQUEST_GOT_KEY_PAIR);
    // Not taken, so it may go back: whoever ends the request does not name it.
    if (!pending.left().isPositive() || !pending.take(lease)) {
      return expired(lease, pending);
    }
    SignRequest request = pending.request();
    return request.form() instanceof SigningForm.InTwoCalls act
        ? open(lease, pending, act)
        : spend(lease, pending, this::signAndCertify);
  }

  /** The key is destroyed, whatever comes of the work. */
  private SignOutcome spend(
      KeyLease lease,
      PendingRequest pending,
      BiFunction<KeyLease, PendingRequest, Function<KeyUse, SignOutcome>> work) {
    Function<KeyUse, SignOutcome> outcome;
    KeyUse keyUse;
    try {
      outcome = work.apply(lease, pending);
    } catch (RuntimeException e) {
      // A defect. The key is spent all the same, and its end belongs on record.
      log.atError()
          .setCause(e)
          .addKeyValue(SignRequest.ID_IN_LOGS, pending.request().requestId())
          .log("request {} failed unexpectedly", pending.request().requestId());
      outcome = failedWith(FailureReason.INTERNAL, "see the service's log", pending);
    } finally {
      keyUse = ended(lease, lease.destroy(), pending);
    }
    return outcome.apply(keyUse);
  }

  /**
   * The first call of an act: the key proves that it is there and is certified, and then waits for
   * the digests. It is destroyed if it cannot.
   */
  private SignOutcome open(KeyLease lease, PendingRequest pending, SigningForm.InTwoCalls act) {
    Optional<Function<KeyUse, SignOutcome>> failure = Optional.empty();
    boolean certified = false;
    try {
      failure = certifyFirst(lease, pending);
      certified = failure.isEmpty();
    } catch (RuntimeException e) {
      log.atError()
          .setCause(e)
          .addKeyValue(SignRequest.ID_IN_LOGS, pending.request().requestId())
          .log("act {} failed unexpectedly", pending.request().requestId());
      failure = Optional.of(failedWith(FailureReason.INTERNAL, "see the service's log", pending));
    } finally {
      if (!certified) {
        KeyUse use = ended(lease, lease.destroy(), pending);
        failure = failure.map(how -> ignored -> how.apply(use));
      }
    }
    KeyUse key = KeyUse.of(lease.stored().orElse(null), lease.publicKey(), Destruction.NOT_CALLED);
    Instant opened = pending.times().now();
    return failure
        .map(how -> how.apply(key))
        .orElseGet(() ->
            new SignOutcome.Opened(
                Objects.requireNonNull(pending.issued()),
                key,
                opened,
                opened.plus(act.timeToLive())));
  }

  /**
   * The key proves that it is there and is certified, before it signs anything of the act. Should
   * it not sign after all, the certificate is on record as one that is not used.
   *
   * @return why it is not certified, or is not to sign; empty if it is certified
   */
  private Optional<Function<KeyUse, SignOutcome>> certifyFirst(
      KeyLease lease, PendingRequest pending) {
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

  /** The second call of an act. */
  private SignOutcome complete(PendingRequest pending, IssuedCertificate issued) {
    pending.thisCall().mark(Stage.REQUEST_GOT_KEY_PAIR);
    return spend(
        pending.key(),
        pending,
        (lease, act) -> {
          if (!act.left().isPositive()) {
            return use -> new SignOutcome.Expired(use, issued);
          }
          SignRequest request = act.request();
          List<byte[]> signatures;
          try {
            signatures = lease.sign(request.scheme(), request.digestAlgorithm(), request.digests());
          } catch (HsmException e) {
            return didNotSign(e, act);
          }
          if (act.hasEnded()) {
            return signedTooLate(act);
          }
          act.times().mark(Stage.SIGNED);
          return use -> new SignOutcome.Signed(signatures, List.of(), issued, use);
        });
  }

  /**
   * Destroys the key of an act that is not to go on, and notes that in its times.
   *
   * @param pending has the key
   */
  public KeyUse destroy(PendingRequest pending) {
    KeyLease lease = pending.key();
    return ended(lease, lease.destroy(), pending);
  }

  private static IssuedCertificate issued(Certification.Certified certified) {
    return new IssuedCertificate(
        certified.certificate(), certified.serial().toString(16), certified.issuedUnder());
  }

  /** A key that was generated for the request cannot go back: its end belongs on record. */
  private SignOutcome expired(KeyLease lease, PendingRequest pending) {
    return lease
        .returnUnused()
        .map(destruction -> new SignOutcome.Expired(ended(lease, destruction, pending)))
        .orElseGet(SignOutcome.Expired::new);
  }

  private KeyUse ended(KeyLease lease, Destruction destruction, PendingRequest pending) {
    if (destruction.succeeded()) {
      pending.times().mark(Stage.KEY_DESTROYED);
    } else {
      UUID requestId = pending.request().requestId();
      lease
          .laterDestruction()
          .ifPresent(later -> later.thenAccept(last -> lateDestructions.accept(requestId, last)));
    }
    return KeyUse.of(lease.stored().orElse(null), lease.publicKey(), destruction);
  }

  /** The outcome, but for the end of the key, which comes after it. */
  private Function<KeyUse, SignOutcome> signAndCertify(KeyLease lease, PendingRequest pending) {
    return switch (pending.request().form()) {
      case SigningForm.Bare bare -> signThenCertify(lease, pending);
      case SigningForm.Contained(Container container) -> certifyThenSign(lease, pending, container);
      case SigningForm.InTwoCalls act ->
          throw new IllegalArgumentException("an act in two calls is not signed in one");
    };
  }

  private Function<KeyUse, SignOutcome> signThenCertify(KeyLease lease, PendingRequest pending) {
    SignRequest request = pending.request();
    List<byte[]> signatures;
    try {
      signatures = lease.sign(request.scheme(), request.digestAlgorithm(), request.digests());
    } catch (HsmException e) {
      return didNotSign(e, pending);
    }
    if (pending.hasEnded()) {
      return signedTooLate(pending);
    }
    pending.times().mark(Stage.SIGNED);
    Certification certification =
        cas.certify(
            lease.device(),
            CertificationRequests.of(request, lease.publicKey(), signatures.getFirst()));
    return switch (certification) {
      case Certification.Certified certified -> {
        pending.times().mark(Stage.CERTIFIED);
        IssuedCertificate issued = issued(certified);
        yield use -> new SignOutcome.Signed(signatures, List.of(), issued, use);
      }
      case Certification.Refused refused -> notCertified(refused, lease, pending);
    };
  }

  /** What is signed names the certificate. */
  private Function<KeyUse, SignOutcome> certifyThenSign(
      KeyLease lease, PendingRequest pending, Container container) {
    return certifyFirst(lease, pending)
        .orElseGet(() ->
            signContained(lease, pending, container, Objects.requireNonNull(pending.issued())));
  }

  private static Function<KeyUse, SignOutcome> signContained(
      KeyLease lease, PendingRequest pending, Container container, IssuedCertificate issued) {
    SignRequest request = pending.request();
    List<SignedAttributes> attributes =
        Containers.attributes(
            request, container, issued, pending.times().at(Stage.CERTIFIED).orElseThrow());
    List<byte[]> signatures;
    try {
      signatures =
          lease.sign(
              request.scheme(),
              request.digestAlgorithm(),
              attributes.stream().map(SignedAttributes::digest).toList());
    } catch (HsmException e) {
      return didNotSign(e, pending);
    }
    if (pending.hasEnded()) {
      return signedTooLate(pending);
    }
    pending.times().mark(Stage.SIGNED);
    List<byte[]> signed = attributes.stream().map(SignedAttributes::der).toList();
    return use -> new SignOutcome.Signed(signatures, signed, issued, use);
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
          case POSSESSION_NOT_PROVEN, KEY_NOT_ALLOWED -> FailureReason.KEY_REFUSED;
          case CA_UNAVAILABLE, CA_NOT_VALID -> FailureReason.CA_UNAVAILABLE;
          // Requests are held to their profile before they are accepted: a defect.
          case PROFILE_UNKNOWN, SUBJECT_NOT_ALLOWED -> FailureReason.INTERNAL;
        };
    return failedWith(reason, "the CA refused: " + refused.reason(), pending);
  }

  private static FailureReason deviceFailure(SignRequest request, String what, HsmException e) {
    log.atError()
        .addKeyValue(SignRequest.ID_IN_LOGS, request.requestId())
        .log("request {}: the HSM did not {}: {}", request.requestId(), what, e.getMessage());
    return FailureReason.HSM_UNAVAILABLE;
  }

  /** The certificate that the key may have got is on record as one that is not used. */
  private static Function<KeyUse, SignOutcome> failedWith(
      FailureReason reason, String detail, PendingRequest pending) {
    return use -> new SignOutcome.Failed(reason, detail, use, pending.issued());
  }

  private static SignOutcome failed(FailureReason reason, String detail) {
    return new SignOutcome.Failed(reason, detail, null);
  }
}
