package org.keywell.signing.request;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.keywell.ca.Subject;
import org.keywell.identity.ProofType;
import org.keywell.identity.ProvenIdentity;
import org.keywell.identity.TicketReference;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.signing.caller.IdentityPolicy;
import org.keywell.signing.caller.Role;
import org.keywell.signing.request.RequestTimes.Stage;

/** Valid requests for the fastest kind of key. */
public final class SampleRequests {

  /** With the id it finds a record, so that the times of an end must have it, too. */
  @SuppressWarnings("TimeInStaticInitializer")
  private static final Instant RECEIVED = Instant.now();

  private static final String PROVIDER = "https://login.example";

  /** Stands in each request; must not be found in any log. */
  public static final String CITIZEN = "Astrid Exempel";

  public static final Duration DEADLINE = Duration.ofSeconds(30);

  private SampleRequests() {}

  public static SignRequest any() {
    return of(UUID.randomUUID(), 1, DEADLINE, "loopback");
  }

  public static SignRequest withDeadline(Duration deadline) {
    return of(UUID.randomUUID(), 1, deadline, "loopback");
  }

  public static SignRequest withCaller(String caller) {
    return of(UUID.randomUUID(), 1, DEADLINE, caller);
  }

  public static SignRequest of(Caller caller) {
    return of(caller, DEADLINE);
  }

  public static SignRequest of(Caller caller, Duration deadline) {
    return of(UUID.randomUUID(), 1, deadline, caller);
  }

  /** Requests of one id and one content are the same request. */
  public static SignRequest of(UUID requestId, int content) {
    return of(requestId, content, DEADLINE, "loopback");
  }

  /** The same content, asked for by another caller, differs in the caller alone. */
  public static SignRequest of(UUID requestId, int content, String caller) {
    return of(requestId, content, DEADLINE, caller);
  }

  /** Several digests, each signature in a container. */
  public static SignRequest contained(Container container, int digests) {
    return of(new SigningForm.Contained(container), digests);
  }

  /** An act of that form with so many digests. */
  public static SignRequest of(SigningForm form, int digests) {
    SignRequest any = any();
    return new SignRequest(
        any.requestId(),
        any.fingerprint(),
        form,
        any.digestAlgorithm(),
        IntStream.range(0, digests).mapToObj(SampleRequests::digest).toList(),
        any.scheme(),
        any.keySpec(),
        any.subject(),
        any.profile(),
        any.identity(),
        any.deadline(),
        any.caller(),
        any.testId());
  }

  private static byte[] digest(int content) {
    byte[] digest = new byte[DigestAlgorithm.SHA_256.lengthBytes()];
    Arrays.fill(digest, (byte) content);
    return digest;
  }

  /** A request for a kind of key that no pool of the tests has. */
  public static SignRequest unserved() {
    return of(KeySpec.RSA_4096, any());
  }

  /** A request like this one, for a key of another kind. */
  public static SignRequest of(KeySpec spec, SignRequest any) {
    return new SignRequest(
        any.requestId(),
        any.fingerprint(),
        any.form(),
        any.digestAlgorithm(),
        any.digests(),
        any.scheme(),
        spec,
        any.subject(),
        any.profile(),
        any.identity(),
        any.deadline(),
        any.caller(),
        any.testId());
  }

  /** A request whose signer is proven by a ticket that is valid for a while. */
  public static SignRequest with(UUID requestId, UUID ticket) {
    return with(requestId, ticket, Instant.now().plusSeconds(60));
  }

  public static SignRequest with(UUID requestId, UUID ticket, Instant usableUntil) {
    SignRequest any = any();
    String reference = ticket.toString();
    return new SignRequest(
        requestId,
        any.fingerprint(),
        any.form(),
        any.digestAlgorithm(),
        any.digests(),
        any.scheme(),
        any.keySpec(),
        any.subject(),
        any.profile(),
        new ProvenIdentity(
            PROVIDER,
            usableUntil,
            "loa3",
            reference,
            TicketReference.sha256(ProofType.JWT, PROVIDER, reference),
            usableUntil,
            List.of()),
        any.deadline(),
        any.caller(),
        any.testId());
  }

  /** What is on record of a ticket, in hexadecimal. */
  public static String ticketSha256(UUID ticket) {
    return HexFormat.of()
        .formatHex(TicketReference.sha256(ProofType.JWT, PROVIDER, ticket.toString()));
  }

  private static SignRequest of(UUID requestId, int content, Duration deadline, String caller) {
    return of(requestId, content, deadline, caller(caller));
  }

  private static SignRequest of(UUID requestId, int content, Duration deadline, Caller caller) {
    byte[] digest = digest(content);
    return new SignRequest(
        requestId,
        digest,
        new SigningForm.Bare(),
        DigestAlgorithm.SHA_256,
        List.of(digest),
        SignatureScheme.ECDSA,
        KeySpec.EC_P256,
        Subject.ofCommonName(CITIZEN),
        "standard",
        null,
        deadline,
        caller,
        "a-test");
  }

  /** A caller of that name that signs, and vouches for signers. */
  public static Caller caller(String name) {
    return caller(name, Role.SIGN);
  }

  /** A caller of that name with these roles, which vouches for signers. */
  public static Caller caller(String name, Role... roles) {
    return new Caller(
        name, Set.of(roles), Set.of(), List.of(), IdentityPolicy.TRUSTED_CALLER, CallerLimits.NONE);
  }

  public static RequestTimes receivedNow() {
    return new RequestTimes(InstantSource.fixed(RECEIVED), System::nanoTime);
  }

  /** The times of a request that passed every stage. */
  public static RequestTimes passedAll() {
    RequestTimes times = receivedNow();
    for (Stage stage : Stage.values()) {
      if (stage != Stage.REQUEST_RECEIVED) {
        times.mark(stage);
      }
    }
    return times;
  }

  /** The times of a request that began and ended, with nothing in between. */
  public static RequestTimes ended() {
    RequestTimes times = receivedNow();
    times.mark(Stage.REQUEST_START_TO_PROCESS);
    times.mark(Stage.REQUEST_FINISHED);
    return times;
  }
}
