package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CaChain;
import org.keywell.ca.Certification;
import org.keywell.ca.Certification.Refused;
import org.keywell.ca.CertificationRequest;
import org.keywell.keypool.worker.Worker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The CAs under one name, one in each device that signs, each with its own key and certificate. The
 * CA in the signing key's device issues; if it cannot, another one does.
 *
 * <p>Thread-safe; allocates nothing itself while the CA in the key's device works.
 */
public final class IssuingCas implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(IssuingCas.class);
  private static final Duration EVERY = Duration.ofSeconds(1);

  private static final Refused CLOCK_IS_IN_DOUBT =
      new Refused(
          Refused.Reason.CA_NOT_VALID,
          "this instance's clock and the database's disagree; nothing is certified by it");

  private final BooleanSupplier clockIsInDoubt;
  private volatile List<CaWatch> all = List.of();

  /** By device. Guarded by this, like the fields below. */
  private final Map<String, Worker> workers = new LinkedHashMap<>();

  private boolean started;
  private boolean stopping;

  /**
   * @param all at least one, each in another device; used in this order if a device's own fails
   */
  public IssuingCas(List<CaWatch> all) {
    this(all, () -> false);
  }

  /**
   * As above.
   *
   * @param clockIsInDoubt whether no certificate may be dated by the clock; called for each
   *     certificate, must not block
   */
  public IssuingCas(List<CaWatch> all, BooleanSupplier clockIsInDoubt) {
    this.clockIsInDoubt = clockIsInDoubt;
    String suffix = all.size() == 1 ? "" : "-%s";
    all.forEach(ca -> add(ca, suffix.formatted(ca.device())));
  }

  /** Adds one in a device that was missing at first, or replaces that device's. */
  public void add(CaWatch ca) {
    add(ca, "-" + ca.device());
  }

  private synchronized void add(CaWatch ca, String suffix) {
    Worker worker =
        new Worker(
            "keywell-ca-watch" + suffix,
            () -> {
              ca.look();
              return EVERY;
            });
    warnOfAnotherName(ca);
    // A late device may have failed to join, and come again.
    Worker before = workers.put(ca.device(), worker);
    if (before != null) {
      before.stop();
    }
    Stream<CaWatch> others = all.stream().filter(other -> !other.device().equals(ca.device()));
    all = Stream.concat(others, Stream.of(ca)).toList();
    if (started && !stopping) {
      worker.start();
    }
  }

  /** Warns because verifiers notice: its device signs under another issuer. */
  private void warnOfAnotherName(CaWatch added) {
    for (CaWatch ca : all) {
      if (!name(ca).equals(name(added))) {
        log.warn(
            "the CA in {} is {}, that in {} is {}: they should have one name",
            ca.device(),
            name(ca),
            added.device(),
            name(added));
        return;
      }
    }
  }

  private static X500Principal name(CaWatch ca) {
    return ca.chain().getFirst().getSubjectX500Principal();
  }

  /** Starts a thread per CA, which makes it prove itself once a second while it is down. */
  public synchronized void start() {
    started = true;
    workers.values().forEach(Worker::start);
  }

  @Override
  public void close() {
    end(Worker.LONGEST_JOIN);
  }

  /** As {@link #close}. Returns whether the threads ended in time. */
  public boolean end(Duration limit) {
    List<Worker> ending;
    synchronized (this) {
      stopping = true;
      ending = List.copyOf(workers.values());
    }
    ending.forEach(Worker::stop);
    return Worker.join(ending, limit);
  }

  /**
   * As {@link org.keywell.ca.CertificateAuthority#certify}, by the CA in the key's device or, if
   * that one cannot issue for its own reasons, by another one that is not known to fail. Each that
   * issues has verified the proof of possession. None leaves that was dated by a clock in doubt.
   *
   * @param device holds the key
   */
  public Certification certify(String device, CertificationRequest request) {
    if (clockIsInDoubt.getAsBoolean()) {
      return CLOCK_IS_IN_DOUBT;
    }
    Certification answer = byOne(device, request);
    // The CA has read the clock since.
    return clockIsInDoubt.getAsBoolean() ? CLOCK_IS_IN_DOUBT : answer;
  }

  private Certification byOne(String device, CertificationRequest request) {
    List<CaWatch> present = all;
    CaWatch own = inDevice(device, present);
    Certification answer = own.canIssue() ? own.certify(request) : null;
    for (int i = 0; isLackOfCa(answer) && i < present.size(); i++) {
      CaWatch other = present.get(i);
      if (other != own && other.canIssue()) {
        answer = other.certify(request);
      }
    }
    // None is known to work: the device's own explains why, or recovers.
    return answer == null ? own.certify(request) : answer;
  }

  /** Returns the first one if that device has none. */
  private static CaWatch inDevice(String device, List<CaWatch> present) {
    for (int i = 0; i < present.size(); i++) {
      if (present.get(i).device().equals(device)) {
        return present.get(i);
      }
    }
    return present.getFirst();
  }

  private static boolean isLackOfCa(@Nullable Certification answer) {
    return switch (answer) {
      case null -> true;
      case Certification.Certified certified -> false;
      case Refused refused ->
          switch (refused.reason()) {
            case CA_UNAVAILABLE, CA_SIGNATURE_WRONG, CA_NOT_VALID -> true;
            case POSSESSION_NOT_PROVEN, KEY_NOT_ALLOWED, PROFILE_UNKNOWN, SUBJECT_NOT_ALLOWED ->
                false;
          };
    };
  }

  /** Whether the certificates of at least one of them allow it to issue. */
  public boolean isValid() {
    List<CaWatch> present = all;
    for (int i = 0; i < present.size(); i++) {
      if (present.get(i).isValid()) {
        return true;
      }
    }
    return false;
  }

  /** Whether none can issue now, though the certificates of one would allow it to. */
  public boolean isDown() {
    List<CaWatch> present = all;
    for (int i = 0; i < present.size(); i++) {
      if (present.get(i).canIssue()) {
        return false;
      }
    }
    return isValid();
  }

  /** Returns the CAs, the last added last. */
  public List<CaWatch> all() {
    return all;
  }

  /** Returns the current chain of each. */
  public List<CaChain> chains() {
    return all.stream().map(ca -> CaChain.of(ca.chain())).toList();
  }

  /** Returns the certificates of all chains, each once: issuing CAs first, roots last. */
  public List<X509Certificate> certificates() {
    List<List<X509Certificate>> chains = all.stream().flatMap(ca -> ca.chains().stream()).toList();
    Set<X509Certificate> certificates = new LinkedHashSet<>();
    chains.forEach(chain -> certificates.add(chain.getFirst()));
    chains.forEach(chain -> certificates.addAll(chain.subList(0, chain.size() - 1)));
    certificates.addAll(roots());
    return List.copyOf(certificates);
  }

  /** Returns the roots of all chains, each once. */
  public Set<X509Certificate> roots() {
    return all.stream()
        .flatMap(ca -> ca.chains().stream())
        .map(List::getLast)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
