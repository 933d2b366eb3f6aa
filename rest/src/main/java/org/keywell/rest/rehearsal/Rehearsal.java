package org.keywell.rest.rehearsal;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.LongSupplier;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certification;
import org.keywell.json.SignRequestBody;
import org.keywell.json.SignRequestParser;
import org.keywell.json.SignResponse;
import org.keywell.rest.sign.ServerTiming;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.record.RehearsedRecords;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.sign.CertificationRequests;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes dummy requests from their JSON to their answers' JSON, with existing signatures: they are
 * parsed, checked, certified by an untrusted CA, recorded and rolled back. Nothing is kept. Not
 * thread-safe.
 */
final class Rehearsal {

  /** Requests per transaction, as under load. */
  static final int TURN = 16;

  private static final int KEY_HASH_BYTES = 32;

  private final SignRequestParser parser;
  private final CertificateAuthority ca;
  private final RehearsedRecords records;
  private final JsonMapper json;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final SecureRandom random;

  /**
   * @param ca one whose certificates nobody trusts
   */
  Rehearsal(
      SignRequestParser parser,
      CertificateAuthority ca,
      RehearsedRecords records,
      JsonMapper json,
      InstantSource clock,
      LongSupplier nanoClock,
      SecureRandom random) {
    this.parser = parser;
    this.ca = ca;
    this.records = records;
    this.json = json;
    this.clock = clock;
    this.nanoClock = nanoClock;
    this.random = random;
  }

  /**
   * Takes {@link #TURN} requests through all steps.
   *
   * @throws RuntimeException if a step fails: the database is away, or the profile refuses the
   *     example's subject
   */
  void turn(ThrowAwayKey key) {
    List<RehearsedRecords.Ended> turn = new ArrayList<>(TURN);
    for (int i = 0; i < TURN; i++) {
      turn.add(certified(key, random.nextInt(ThrowAwayKey.DIGESTS)));
    }
    records.write(turn);
    turn.forEach(this::answer);
  }

  private RehearsedRecords.Ended certified(ThrowAwayKey key, int digest) {
    RequestTimes times = new RequestTimes(clock, nanoClock);
    SignRequest request =
        parser.parse(
            json.readValue(body(key, digest), SignRequestBody.class), Caller.onLoopback(), null);
    times.mark(Stage.REQUEST_START_TO_PROCESS);
    times.mark(Stage.REQUEST_GOT_KEY_PAIR);
    times.mark(Stage.SIGNED);
    byte[] signature = key.signatures().get(digest);
    return switch (ca.certify(CertificationRequests.of(request, key.publicKey(), signature))) {
      case Certification.Certified certified -> {
        times.mark(Stage.CERTIFIED);
        times.mark(Stage.KEY_DESTROYED);
        times.mark(Stage.REQUEST_FINISHED);
        yield new RehearsedRecords.Ended(
            request,
            times,
            new SignOutcome.Signed(
                List.of(signature),
                List.of(),
                new IssuedCertificate(
                    certified.certificate(),
                    certified.serial().toString(16),
                    certified.issuedUnder()),
                use(key)));
      }
      case Certification.Refused refused ->
          throw new IllegalStateException("not certified: " + refused.detail());
    };
  }

  /** Poses as a new key each time: a key on record has signed only once. */
  private KeyUse use(ThrowAwayKey key) {
    byte[] publicKeySha256 = new byte[KEY_HASH_BYTES];
    random.nextBytes(publicKeySha256);
    return new KeyUse(null, null, publicKeySha256, key.destruction(), false);
  }

  private void answer(RehearsedRecords.Ended ended) {
    SignRecord record = SignRecord.of(ended.request(), ended.times(), ended.outcome());
    var _ = ServerTiming.of(record.times(), ended.times());
    var _ = json.writeValueAsBytes(SignResponse.of(record, (SignOutcome.Signed) ended.outcome()));
  }

  private static byte[] body(ThrowAwayKey key, int digest) {
    return """
    {"digestAlgorithm":"%s","digest":"%s","keySpec":"%s","deadlineMillis":1000,\
    "signer":{"commonName":"Astrid Exempel","givenName":"Astrid","surname":"Exempel",\
    "serialNumber":"PNOSE-199001011239","organization":"Exempel","country":"SE"}}\
    """
        .formatted(
            ThrowAwayKey.DIGEST_ALGORITHM.label(),
            Base64.getEncoder().encodeToString(key.digests().get(digest)),
            key.spec().label())
        .getBytes(StandardCharsets.UTF_8);
  }
}
