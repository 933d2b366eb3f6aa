package org.keywell.signing.revocation;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.keywell.ca.ocsp.CertificateStatus;
import org.keywell.ca.ocsp.OcspAnswer;
import org.keywell.ca.ocsp.OcspAnswer.Answered;
import org.keywell.ca.ocsp.OcspAnswer.Failed;
import org.keywell.ca.ocsp.OcspAnswer.Failure;
import org.keywell.ca.ocsp.OcspRequest;
import org.keywell.settings.CaProperties;
import org.keywell.signing.ca.OcspSigner;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.sign.CallerReads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers OCSP requests (RFC 6960), for the CAs in this instance's devices. Without a nonce, those
 * who ask about the same certificate within {@code keywell.ca.crl.fresh} get the same answer.
 * Thread-safe.
 */
public final class OcspAnswers implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(OcspAnswers.class);

  private final Duration validity;
  private final boolean on;
  private final StatusTable table;
  private final CallerReads reads;
  private final InstantSource clock;
  private final OcspListener listener;
  private final OcspCache cache;
  private final List<OcspSigner> signers = new CopyOnWriteArrayList<>();

  /**
   * @param reads limits how many look for a certificate at once
   */
  OcspAnswers(
      CaProperties settings,
      StatusTable table,
      CallerReads reads,
      InstantSource clock,
      OcspListener listener) {
    this.validity = settings.ocsp().validity();
    this.on = settings.ocsp().base().isPresent();
    this.table = table;
    this.reads = reads;
    this.clock = clock;
    this.listener = listener;
    Duration fresh = settings.crl().fresh();
    Duration half = validity.dividedBy(2);
    this.cache = new OcspCache(fresh.compareTo(half) < 0 ? fresh : half);
  }

  /** Whether requests are answered. */
  public boolean isOn() {
    return on;
  }

  /** Adds what signs in a device; of a late one, too. */
  public void add(OcspSigner signer) {
    // A late device may have failed to join, and come again.
    List<OcspSigner> replaced =
        signers.stream().filter(other -> other.device().equals(signer.device())).toList();
    signers.add(signer);
    signers.removeAll(replaced);
    replaced.forEach(other -> other.signer().close());
  }

  /** Returns when the first certificate of a device's chain expires; empty without one. */
  public Optional<Instant> end(String device) {
    return signers.stream()
        .filter(signer -> signer.device().equals(device))
        .flatMap(signer -> signer.chain().stream())
        .map(X509Certificate::getNotAfter)
        .map(Date::toInstant)
        .min(Comparator.naturalOrder());
  }

  /**
   * Answers a request; never throws.
   *
   * @param issuer the CA key's identifier in the address that was asked, in hexadecimal digits
   * @param request an {@code OCSPRequest}, DER
   */
  public OcspAnswer answer(Caller caller, String issuer, byte[] request) {
    OcspAnswer answer;
    try {
      answer =
          OcspRequest.parse(request)
              .map(parsed -> answer(caller, issuer, parsed))
              .orElseGet(() -> new Failed(Failure.MALFORMED_REQUEST));
    } catch (RefusedException e) {
      answer = new Failed(Failure.TRY_LATER);
    } catch (RuntimeException e) {
      log.error("an OCSP request cannot be answered", e);
      answer = new Failed(Failure.INTERNAL_ERROR);
    }
    listener.answered(answer);
    return answer;
  }

  private OcspAnswer answer(Caller caller, String issuer, OcspRequest request) {
    Optional<OcspSigner> signer =
        signers.stream().filter(each -> each.unit().issuer().equals(issuer)).findFirst();
    if (signer.isEmpty()) {
      return new Failed(Failure.UNAUTHORIZED);
    }
    Instant now = clock.instant();
    Optional<String> question = request.repeatable();
    Optional<Answered> known = question.flatMap(asked -> cache.find(asked, now));
    if (known.isPresent()) {
      return known.get();
    }
    Function<BigInteger, CertificateStatus> statuses =
        serial -> reads.read(caller, () -> Optional.of(table.of(issuer, serial))).orElseThrow();
    OcspAnswer answer = signer.get().unit().answer(request, statuses, now, validity);
    if (answer instanceof Answered answered && answered.repeatable()) {
      cache.add(question.orElseThrow(), answered);
    }
    return answer;
  }

  @Override
  public void close() {
    signers.forEach(signer -> signer.signer().close());
  }
}
