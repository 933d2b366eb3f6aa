package org.keywell.signing.sign;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.request.Container;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;

/**
 * The life of one key: leased, signs for one act, certified, destroyed. After the lease, the key is
 * always destroyed before the outcome is returned, unless the act is then open: its second call
 * comes here again, or {@link #destroy} ends it. Thread-safe.
 */
public final class SigningCycle {

  private final KeySource keySource;
  private final KeyPools pools;
  private final KeyWork work;
  private final SigningGate gate;
  private final BiConsumer<UUID, Destruction> lateDestructions;

  /**
   * @param gate checked before each lease: it may have closed since admission
   * @param lateDestructions notified of each key that is gone although its request's record says
   *     otherwise; must not block or throw
   */
  public SigningCycle(
      KeySource keySource,
      KeyPools pools,
      IssuingCas cas,
      SigningGate gate,
      BiConsumer<UUID, Destruction> lateDestructions) {
    this.keySource = keySource;
    this.pools = pools;
    this.work = new KeyWork(cas);
    this.gate = gate;
    this.lateDestructions = lateDestructions;
  }

  /** Returns which thread can start this request now. Does not wait. */
  KeySource.Way way(PendingRequest pending) {
    KeySpec spec = pending.request().keySpec();
    return pending.issued() != null
            || !pools.serves(spec)
            || gate.closed(spec).isPresent()
            || pools.atOrphanLimit()
            || !pending.left().isPositive()
        ? KeySource.Way.SIGN
        : keySource.way(spec);
  }

  /**
   * Returns how a sign thread can start this request now. That may lease a key, so the result must
   * always go to {@link #run}. Does not wait.
   *
   * @return null if the request must wait for a key
   * @throws IllegalArgumentException if its kind of key has no pool
   */
  @Nullable Start start(PendingRequest pending) {
    if (pending.issued() != null) {
      return Start.Plain.OPEN_ACT;
    }
    Optional<SigningGate.Closed> closed = gate.closed(pending.request().keySpec());
    if (closed.isPresent()) {
      return new Start.Refused(closed.get().reason(), closed.get().detail());
    }
    if (pools.atOrphanLimit()) {
      return new Start.Refused(
          FailureReason.ORPHAN_LIMIT, "keywell.pool.max-orphans is reached: " + pools.orphans());
    }
    if (!pending.left().isPositive()) {
      return Start.Plain.OVERDUE;
    }
    return keySource.start(pending.request().keySpec());
  }

  /**
   * Signs one request and marks each stage in its times. If another thread ends the request
   * meanwhile, the outcome is void: the key is still destroyed, or goes back unused.
   */
  SignOutcome run(PendingRequest pending, Start start) {
    SignRequest request = pending.request();
    return switch (start) {
      case Start.Leased(KeyLease lease) -> use(lease, pending);
      case Start.Refused(FailureReason reason, String detail) -> {
        if (reason == FailureReason.POOL_EMPTY) {
          keySource.endsWithoutKey(request.keySpec());
        }
        yield failed(reason, detail);
      }
      case Start.Plain plain ->
          switch (plain) {
            case OPEN_ACT -> complete(pending, Objects.requireNonNull(pending.issued()));
            case MAKE_KEY -> make(pending);
            case OVERDUE -> {
              keySource.endsWithoutKey(request.keySpec());
              yield new SignOutcome.Expired();
            }
          };
    };
  }

  private SignOutcome make(PendingRequest pending) {
    if (!pending.left().isPositive()) {
      return new SignOutcome.Expired();
    }
    KeyLease made;
    try {
      made = keySource.make(pending.request().keySpec());
    } catch (HsmException e) {
      if (e.reason() == HsmException.Reason.FULL) {
        // The device logs this itself, once a minute.
        return failed(FailureReason.HSM_UNAVAILABLE, "the HSM has no room for another key");
      }
      return failed(
          KeyWork.deviceFailure(pending.request(), "generate a key", e),
          "no key could be generated");
    }
    return use(made, pending);
  }

  private SignOutcome use(KeyLease lease, PendingRequest pending) {
    RequestTimes times = pending.times();
    times.mark(Stage.REQUEST_GOT_KEY_PAIR);
    // Not taken, so it may go back: the request's outcome does not name it.
    if (!pending.left().isPositive() || !pending.take(lease)) {
      return expired(lease, pending);
    }
    return switch (pending.request().form()) {
      case SigningForm.Bare bare ->
          spend(lease, pending, () -> work.signThenCertify(lease, pending));
      case SigningForm.Contained(Container container) ->
          spend(lease, pending, () -> work.certifyThenSign(lease, pending, container));
      case SigningForm.InTwoCalls act -> open(lease, pending, act);
    };
  }

  /** Does the work and destroys the key in any case. */
  private SignOutcome spend(
      KeyLease lease, PendingRequest pending, Supplier<Function<KeyUse, SignOutcome>> work) {
    Function<KeyUse, SignOutcome> outcome;
    KeyUse keyUse;
    try {
      outcome = work.get();
    } catch (RuntimeException e) {
      // The key is spent anyway, and its end belongs on record.
      outcome = KeyWork.defect(e, pending);
    } finally {
      keyUse = ended(lease, lease.destroy(), pending);
    }
    return outcome.apply(keyUse);
  }

  /**
   * Handles the first call of an act: the key is certified, then waits for the digests. It is
   * destroyed if it cannot.
   */
  private SignOutcome open(KeyLease lease, PendingRequest pending, SigningForm.InTwoCalls act) {
    Optional<Function<KeyUse, SignOutcome>> failure = Optional.empty();
    boolean certified = false;
    KeyUse key;
    try {
      failure = work.certifyFirst(lease, pending);
      certified = failure.isEmpty();
      if (certified) {
        lease.hold();
      }
    } catch (RuntimeException e) {
      failure = Optional.of(KeyWork.defect(e, pending));
    } finally {
      key =
          certified
              ? KeyUse.of(lease.stored().orElse(null), lease.publicKey(), Destruction.NOT_CALLED)
              : ended(lease, lease.destroy(), pending);
    }
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

  /** Handles the second call of an act. */
  private SignOutcome complete(PendingRequest pending, IssuedCertificate issued) {
    pending.thisCall().mark(Stage.REQUEST_GOT_KEY_PAIR);
    KeyLease lease = pending.key();
    return spend(lease, pending, () -> work.signOpen(lease, pending, issued));
  }

  /**
   * Destroys the key of an act that does not continue, and notes that in its times.
   *
   * @param pending has the key
   */
  public KeyUse destroy(PendingRequest pending) {
    KeyLease lease = pending.key();
    return ended(lease, lease.destroy(), pending);
  }

  /**
   * Reports how the key of a request ended that had been ended in its handler's place, so that its
   * record names a key that was not destroyed. An orphan is reported once it is destroyed.
   */
  public void endedLate(PendingRequest pending, @Nullable KeyUse use) {
    if (use != null && use.destruction().keyIsGone()) {
      lateDestructions.accept(pending.request().requestId(), use.destruction());
    }
  }

  /** Gives the key back; a generated one is destroyed instead, and that belongs on record. */
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

  private static SignOutcome failed(FailureReason reason, String detail) {
    return new SignOutcome.Failed(reason, detail, null);
  }
}
