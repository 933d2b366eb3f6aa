package org.keywell.signing.revocation;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.keywell.ca.ocsp.CertificateStatus;
import org.keywell.ca.ocsp.OcspAnswer;
import org.keywell.ca.ocsp.OcspAnswer.Answered;
import org.keywell.ca.ocsp.OcspAnswer.Failed;
import org.keywell.ca.ocsp.OcspAnswer.Failure;
import org.keywell.ca.ocsp.OcspRequest;
import org.keywell.settings.CaProperties;
import org.keywell.signing.ca.CaWatch;
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
  private final Supplier<List<CaWatch>> cas;
  private final StatusTable table;
  private final CallerReads reads;
  private final InstantSource clock;
  private final BooleanSupplier clockIsInDoubt;
  private final OcspListener listener;
  private final OcspCache cache;

  /**
   * @param cas have what signs, in each device
   * @param reads limits how many look for a certificate at once
   * @param clockIsInDoubt whether no answer may be dated by the clock
   */
  OcspAnswers(
      CaProperties settings,
      Supplier<List<CaWatch>> cas,
      StatusTable table,
      CallerReads reads,
      InstantSource clock,
      BooleanSupplier clockIsInDoubt,
      OcspListener listener) {
    this.validity = settings.ocsp().validity();
    this.on = settings.ocsp().base().isPresent();
    this.cas = cas;
    this.table = table;
    this.reads = reads;
    this.clock = clock;
    this.clockIsInDoubt = clockIsInDoubt;
    this.listener = listener;
    Duration fresh = settings.crl().fresh();
    Duration half = validity.dividedBy(2);
    this.cache = new OcspCache(fresh.compareTo(half) < 0 ? fresh : half);
  }

  /** Whether requests are answered. */
  public boolean isOn() {
    return on;
  }

  private Stream<OcspSigner> signers() {
    return cas.get().stream().flatMap(ca -> ca.responders().stream());
  }

  /** Returns when the first certificate ends of what answers in a device; empty without one. */
  public Optional<Instant> end(String device) {
    return cas.get().stream()
        .filter(ca -> ca.device().equals(device))
        .flatMap(ca ->
            ca.responders().stream().flatMap(signer -> signer.end(ca.chain().getFirst()).stream()))
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
        signers().filter(each -> each.unit().issuer().equals(issuer)).findFirst();
    if (signer.isEmpty()) {
      return new Failed(Failure.UNAUTHORIZED);
    }
    Instant now = clock.instant();
    if (clockIsInDoubt.getAsBoolean()) {
      return new Failed(Failure.TRY_LATER);
    }
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
    signers().forEach(signer -> signer.signer().close());
  }
}
