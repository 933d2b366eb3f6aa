package org.keywell.ca;

import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.token.SoftwareCa;

/**
 * An authority with a key in memory and faults that a test switches. Without a fault it keeps the
 * contract, the proof of possession included. Thread-safe.
 */
public final class FakeCertificateAuthority implements CertificateAuthority {

  /** What goes wrong from now on. */
  private sealed interface Fault {}

  private record Refuse(Certification.Reason reason) implements Fault {}

  private record Fail(RuntimeException failure) implements Fault {}

  private record Hold(CountDownLatch until) implements Fault {}

  private static final Set<Certification.Reason> CAS_OWN =
      EnumSet.of(
          Certification.Reason.CA_NOT_VALID,
          Certification.Reason.CA_UNAVAILABLE,
          Certification.Reason.CA_SIGNATURE_WRONG);

  private final CertificateAuthority delegate = SoftwareCa.authority();
  private final AtomicReference<Optional<Fault>> fault = new AtomicReference<>(Optional.empty());
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger proofs = new AtomicInteger();

  /** Every request is refused; for a reason of the CA's own, so is a proof. */
  public void refuse(Certification.Reason reason) {
    fault.set(Optional.of(new Refuse(reason)));
  }

  /** Every request throws. */
  public void fail(RuntimeException failure) {
    fault.set(Optional.of(new Fail(failure)));
  }

  /** Every request is held until the latch opens, and is then answered. */
  public void hold(CountDownLatch until) {
    fault.set(Optional.of(new Hold(until)));
  }

  /** Requests that come from now on are answered. */
  public void recover() {
    fault.set(Optional.empty());
  }

  /** How many requests have come, with whatever answer. */
  public int calls() {
    return calls.get();
  }

  /** How many proofs were asked for. */
  public int proofs() {
    return proofs.get();
  }

  @Override
  public Certification certify(CertificationRequest request) {
    calls.incrementAndGet();
    Optional<Fault> current = fault.get();
    if (current.isEmpty()) {
      return delegate.certify(request);
    }
    return switch (current.get()) {
      case Refuse(Certification.Reason reason) ->
          new Certification.Refused(reason, "a test refuses");
      case Fail(RuntimeException failure) -> throw failure;
      case Hold(CountDownLatch until) -> {
        await(until);
        yield delegate.certify(request);
      }
    };
  }

  @Override
  public boolean isValid() {
    return !(fault.get().orElse(null) instanceof Refuse(Certification.Reason reason)
        && reason == Certification.Reason.CA_NOT_VALID);
  }

  @Override
  public Optional<Certification.Refused> prove() {
    proofs.incrementAndGet();
    return fault.get().isPresent()
            && fault.get().get() instanceof Refuse(Certification.Reason reason)
            && CAS_OWN.contains(reason)
        ? Optional.of(new Certification.Refused(reason, "a test refuses"))
        : delegate.prove();
  }

  @Override
  public ListAnswer sign(RevocationList list) {
    return fault.get().isEmpty() ? delegate.sign(list) : new ListAnswer.NotSigned("a test refuses");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public List<X509Certificate> chain() {
    return delegate.chain();
  }
}
