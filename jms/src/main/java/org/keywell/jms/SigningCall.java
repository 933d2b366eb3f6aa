package org.keywell.jms;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.keywell.json.ActCallBody;
import org.keywell.json.ActRequestBody;
import org.keywell.json.MessageBody;
import org.keywell.json.SignRequestBody;
import org.keywell.json.SignRequestParser;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignRequest;
import tools.jackson.databind.json.JsonMapper;

/**
 * Signs what a caller asks for. Where the core refuses for load or an outage, a caller over HTTP is
 * told to come again; here, the request waits, and the broker keeps those behind it. A request that
 * others need not wait for goes back to the broker after a while. Thread-safe.
 */
final class SigningCall {

  /** Nobody's request can be signed now. The waits for these are bounded by {@link Waiting}. */
  private static final Set<Reason> FOR_ALL =
      EnumSet.of(
          Reason.QUEUE_FULL,
          Reason.READS_BUSY,
          Reason.HSM_UNAVAILABLE,
          Reason.CA_UNAVAILABLE,
          Reason.RECORD_UNAVAILABLE,
          Reason.REQUEST_IN_PROGRESS,
          Reason.SHUTTING_DOWN);

  /** This request cannot be signed now; another might. */
  private static final Set<Reason> FOR_THIS_ONE =
      EnumSet.of(Reason.QUEUE_SHARE, Reason.WAIT_TOO_LONG, Reason.IDENTITY_PROVIDER_UNAVAILABLE);

  /** How long others wait behind such a request. */
  static final Duration HELD_FOR_ITSELF = Duration.ofSeconds(30);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  /** A call of the core, which answers with a durable record or refuses. */
  @FunctionalInterface
  interface Call {
    SignRecord of(SignRequest request, RequestTimes times) throws InterruptedException;
  }

  private final SignRequestParser parser;
  private final Call sign;
  private final Call repeat;
  private final Call open;
  private final Call reopen;
  private final ActCalls acts;
  private final CallerRates rates;
  private final ToIntFunction<KeySpec> keys;
  private final JsonMapper mapper;
  private final InstantSource clock;
  private final LongSupplier nanoClock;

  /** How many requests for each kind of key are at the core because of this. */
  private final ConcurrentMap<KeySpec, AtomicInteger> working = new ConcurrentHashMap<>();

  /**
   * @param sign signs, or returns the answer that the id got earlier
   * @param repeat returns that answer alone
   * @param open as the first, for acts
   * @param reopen as the second
   * @param rates of all ways in together
   * @param keys how many requests for this kind of key can have one now; must not block
   * @param mapper as for HTTP
   */
  SigningCall(
      SignRequestParser parser,
      Call sign,
      Call repeat,
      Call open,
      Call reopen,
      ActCalls acts,
      CallerRates rates,
      ToIntFunction<KeySpec> keys,
      JsonMapper mapper,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.parser = parser;
    this.sign = sign;
    this.repeat = repeat;
    this.open = open;
    this.reopen = reopen;
    this.acts = acts;
    this.rates = rates;
    this.keys = keys;
    this.mapper = mapper;
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /** Signs, or finds the answer that the request's id got earlier. */
  Verdict sign(MessageBody body, Caller caller, Waiting waiting) throws InterruptedException {
    long began = nanoClock.getAsLong();
    Duration pause = FIRST_PAUSE;
    boolean paid = false;
    boolean first = true;
    while (true) {
      Optional<Duration> tooFast = paid ? Optional.empty() : rates.take(caller);
      paid = tooFast.isEmpty();
      @Nullable Refusal refusal = null;
      if (paid) {
        try {
          Optional<Answer> answer = attempt(body, caller, first);
          if (answer.isPresent()) {
            return new Verdict.Answered(answer.get());
          }
        } catch (RefusedException e) {
          refusal = e.refusal();
          if (!FOR_ALL.contains(refusal.reason()) && !FOR_THIS_ONE.contains(refusal.reason())) {
            return new Verdict.Answered(Answer.of(refusal));
          }
        }
      }
      first = first && !paid;
      boolean forAll = refusal != null && FOR_ALL.contains(refusal.reason());
      boolean heldLong = nanoClock.getAsLong() - began > HELD_FOR_ITSELF.toNanos();
      if ((!forAll && heldLong)
          || !waiting.pause(Collections.min(List.of(tooFast.orElse(pause), LONGEST_PAUSE)))) {
        return new Verdict.NotNow();
      }
      pause = Collections.min(List.of(pause.multipliedBy(2), LONGEST_PAUSE));
    }
  }

  /**
   * Returns the answer; empty if there is no key for it, and it was not answered before.
   *
   * @param first whether it may have been answered before this delivery
   * @throws RefusedException if it was not answered before and is refused
   */
  private Optional<Answer> attempt(MessageBody body, Caller caller, boolean first)
      throws InterruptedException {
    RequestTimes times = new RequestTimes(clock, nanoClock);
    return switch (body) {
      case SignRequestBody one ->
          attempt(parser.parse(one, caller, null), times, sign, first ? repeat : null)
              .map(record -> Answer.of(record, mapper));
      case ActRequestBody act ->
          attempt(acts.parse(act, caller), times, open, first ? reopen : null).map(acts::opened);
      case ActCallBody call -> Optional.of(acts.second(call, caller, times));
    };
  }

  private Optional<SignRecord> attempt(
      SignRequest request, RequestTimes times, Call call, @Nullable Call before)
      throws InterruptedException {
    AtomicInteger inProgress = working.computeIfAbsent(request.keySpec(), _ -> new AtomicInteger());
    try {
      // Accepted without a key, a request would fail, and its id with it.
      if (inProgress.incrementAndGet() > keys.applyAsInt(request.keySpec())) {
        return before(before, request, times);
      }
      return Optional.of(call.of(request, times));
    } catch (RefusedException e) {
      // What is signed can be answered while nothing can be signed.
      if (isAdmission(e.refusal().reason())) {
        Optional<SignRecord> earlier = before(before, request, times);
        if (earlier.isPresent()) {
          return earlier;
        }
      }
      throw e;
    } finally {
      inProgress.decrementAndGet();
    }
  }

  private static boolean isAdmission(Reason reason) {
    return switch (reason) {
      case QUEUE_FULL, QUEUE_SHARE, WAIT_TOO_LONG, HSM_UNAVAILABLE, CA_UNAVAILABLE, QUOTA_USED ->
          true;
      default -> false;
    };
  }

  private static Optional<SignRecord> before(
      @Nullable Call before, SignRequest request, RequestTimes times) throws InterruptedException {
    if (before == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(before.of(request, times));
    } catch (RefusedException e) {
      if (e.refusal().reason() == Reason.REQUEST_UNKNOWN) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
