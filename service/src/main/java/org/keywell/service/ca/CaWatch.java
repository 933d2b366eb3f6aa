package org.keywell.service.ca;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certification;
import org.keywell.ca.CertificationRequest;
import org.keywell.keypool.Worker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the CA for certificates, and knows from its answers how it is. Once it has failed {@link
 * #FAILURES} times in a row it counts as down: then a thread has it prove itself, once a second,
 * until it does.
 *
 * <p>Thread-safe; allocates nothing of its own while the CA works.
 */
public final class CaWatch implements AutoCloseable {

  /** So many failures in a row mean that the CA is down. */
  public static final int FAILURES = 5;

  private static final Logger log = LoggerFactory.getLogger(CaWatch.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  /**
   * Failures in a row.
   *
   * @param detail of the last of them
   * @param inARow how many, at least 1
   * @param lastNanos when the last of them was told, by the clock of elapsed time
   */
  public record Failure(String detail, int inARow, long lastNanos) {}

  private final CertificateAuthority ca;
  private final LongSupplier nanoClock;
  private final Worker worker;

  /** Null where the last answer was no failure of the CA's own. */
  private final AtomicReference<@Nullable Failure> failing = new AtomicReference<>();

  private volatile @Nullable Failure last;

  public CaWatch(CertificateAuthority ca, LongSupplier nanoClock) {
    this.ca = ca;
    this.nanoClock = nanoClock;
    this.worker =
        new Worker(
            "keywell-ca-watch",
            () -> {
              look();
              return EVERY;
            });
  }

  public void start() {
    worker.start();
  }

  @Override
  public void close() {
    end(Worker.LONGEST_JOIN);
  }

  /** As {@link #close}. Returns whether the thread has ended in time. */
  public boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /** As {@link CertificateAuthority#certify}. */
  public Certification certify(CertificationRequest request) {
    Certification answer = ca.certify(request);
    switch (answer) {
      case Certification.Certified certified -> succeeded();
      case Certification.Refused refused -> {
        // The others concern the key, or the calendar, which isValid knows.
        if (refused.reason() == Certification.Reason.CA_UNAVAILABLE) {
          failed(refused.detail());
        }
      }
    }
    return answer;
  }

  /** As {@link CertificateAuthority#isValid}. */
  public boolean isValid() {
    return ca.isValid();
  }

  /** Whether the CA failed so often in a row that only a proof, or a certificate, clears it. */
  public boolean isDown() {
    Failure failure = failing.get();
    return failure != null && failure.inARow() >= FAILURES;
  }

  /** The last failure, over or not; empty if there was none. */
  public Optional<Failure> lastFailure() {
    return Optional.ofNullable(last);
  }

  /** Has a CA that is down prove itself. */
  void look() {
    if (isDown()) {
      ca.prove().ifPresentOrElse(refused -> failed(refused.detail()), this::succeeded);
    }
  }

  private void succeeded() {
    if (failing.get() == null) {
      return;
    }
    Failure before = failing.getAndSet(null);
    if (before != null && before.inARow() >= FAILURES) {
      log.info("the CA works again");
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
          "the CA failed {} times in a row, and is asked no more until it proves itself: {}",
          FAILURES,
          detail);
    }
  }
}
