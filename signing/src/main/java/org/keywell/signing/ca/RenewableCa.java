package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certification;
import org.keywell.ca.Certification.Reason;
import org.keywell.ca.Certification.Refused;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.issuance.IssuingKeyException;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.token.CaTokenException;
import org.keywell.settings.StartRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A CA whose key is in a token that may be reopened. Meanwhile requests wait for a bounded time.
 * Thread-safe.
 */
final class RenewableCa implements CertificateAuthority {

  private static final Logger log = LoggerFactory.getLogger(RenewableCa.class);

  /** Longer than a successful reopening takes. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);

  private static final String HSM_AWAY = "its HSM is being reopened, or hangs";
  private static final String NOT_OPEN_YET = "it could not be reopened yet";

  private final Renewable<CertificateAuthority> opened;

  RenewableCa(Renewable<CertificateAuthority> opened) {
    this.opened = opened;
  }

  @Override
  public Certification certify(CertificationRequest request) {
    return opened
        .call(MAX_WAIT, () -> certifyOrRenew(request))
        .orElseGet(() -> unavailable(HSM_AWAY));
  }

  /** If the CA is unavailable, reopens it if due and requests the certificate again. */
  private Certification certifyOrRenew(CertificationRequest request) {
    Optional<CertificateAuthority> usable = opened.usable();
    if (usable.isEmpty()) {
      return unavailable(NOT_OPEN_YET);
    }
    Certification answer = usable.get().certify(request);
    if (!(answer instanceof Refused refused) || refused.reason() != Reason.CA_UNAVAILABLE) {
      return answer;
    }
    boolean _ = opened.renewIfDue(refused.detail());
    return opened.usable().map(ca -> ca.certify(request)).orElse(answer);
  }

  @Override
  public boolean isValid() {
    return opened.last().isValid();
  }

  /** Reopens the CA if its key does not prove itself, then tests it again. */
  @Override
  public Optional<Refused> prove() {
    return opened
        .call(MAX_WAIT, this::proveOrRenew)
        .orElseGet(() -> Optional.of(unavailable(HSM_AWAY)));
  }

  private Optional<Refused> proveOrRenew() {
    Optional<Refused> refused = proveNow();
    boolean mayHelp =
        refused.isPresent()
            && refused.get().reason() == Reason.CA_UNAVAILABLE
            && opened.renewIfDue(refused.get().detail());
    return mayHelp ? proveNow() : refused;
  }

  private Optional<Refused> proveNow() {
    return opened
        .usable()
        .map(CertificateAuthority::prove)
        .orElseGet(() -> Optional.of(unavailable(NOT_OPEN_YET)));
  }

  @Override
  public ListAnswer sign(RevocationList list) {
    return opened
        .call(MAX_WAIT, () -> signOrRenew(list))
        .orElseGet(() -> new ListAnswer.NotSigned(HSM_AWAY));
  }

  /** If the key does not sign, reopens the CA if due and asks again. */
  private ListAnswer signOrRenew(RevocationList list) {
    ListAnswer answer = signNow(list);
    return answer instanceof ListAnswer.NotSigned(String detail) && opened.renewIfDue(detail)
        ? signNow(list)
        : answer;
  }

  private ListAnswer signNow(RevocationList list) {
    return opened
        .usable()
        .map(ca -> ca.sign(list))
        .orElseGet(() -> new ListAnswer.NotSigned(NOT_OPEN_YET));
  }

  @Override
  public List<X509Certificate> chain() {
    return opened.last().chain();
  }

  @Override
  public List<List<X509Certificate>> chains() {
    return opened.last().chains();
  }

  /** Changes this one, too; the device's failures are for others to notice. */
  @Override
  public CertificateAuthority refreshed() {
    try {
      var _ = opened.call(MAX_WAIT, () -> opened.replace(CertificateAuthority::refreshed));
    } catch (CaTokenException | IssuingKeyException | StartRefusedException e) {
      log.warn("the CA's keys cannot be looked for: {}", e.getMessage());
    }
    return this;
  }

  private static Refused unavailable(String detail) {
    return new Refused(Reason.CA_UNAVAILABLE, detail);
  }
}
