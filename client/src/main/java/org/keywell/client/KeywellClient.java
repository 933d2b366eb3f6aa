package org.keywell.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A client of one service. Thread-safe; calls block, so virtual threads suit it well. It keeps
 * connections open: create one client and use it as long as the application runs.
 *
 * <pre>{@code
 * KeywellClient keywell =
 *     KeywellClient.at(URI.create("https://keywell.example:8420"))
 *         .tls(PemTls.context(authority, certificate, key))
 *         .deadline(Duration.ofSeconds(30))
 *         .build();
 * SignResponse signed =
 *     keywell
 *         .sign(
 *             SignRequest.of(Digest.SHA_256)
 *                 .digest(Digest.SHA_256.of(file))
 *                 .signer(Signer.named("Astrid Exempel"))
 *                 .build())
 *         .orThrow();
 * }</pre>
 *
 * <p>A client from {@link #at} retries failures that may pass: when the connection is lost, when a
 * load balancer has no instance, and when the service says when to retry ({@code Retry-After} with
 * 429 or 503). Each try has the same id and the same bytes, so a key signs once. A client from a
 * constructor tries once.
 *
 * <p>Failures: {@link ServiceProblemException} if the service refuses and says why; {@link
 * NoAnswerException} if no answer arrives within the deadline; {@link UnexpectedAnswerException} if
 * the answer is not from a Keywell service. All are {@link IOException}s.
 */
public final class KeywellClient implements AutoCloseable {
  static final Duration USUAL_DEADLINE = Duration.ofSeconds(60);

  private final Connections connections;
  private final Duration deadline;
  private final @Nullable RetryPolicy retries;
  private final @Nullable CallObserver observer;
  private final Time time;

  KeywellClient(
      Connections connections,
      Duration deadline,
      @Nullable RetryPolicy retries,
      @Nullable CallObserver observer,
      Time time) {
    if (deadline.isZero() || deadline.isNegative()) {
      throw new IllegalArgumentException("a deadline of " + deadline + " leaves no time");
    }
    this.connections = connections;
    this.deadline = deadline;
    this.retries = retries;
    this.observer = observer;
    this.time = time;
  }

  /**
   * Starts building a client that retries.
   *
   * @param base the service's address, such as {@code https://keywell.example:8420}
   */
  public static ClientBuilder at(URI base) {
    return new ClientBuilder(base);
  }

  /**
   * Creates a client without retries; does not open a connection yet.
   *
   * @param base the service's address, such as {@code http://127.0.0.1:8420}
   * @param timeout how long to wait for each answer
   * @param tls the trusted certificates and the caller's own; null for Java's defaults
   */
  public KeywellClient(URI base, Duration timeout, @Nullable SSLContext tls) {
    this(base, timeout, tls, null);
  }

  /**
   * Creates a client without retries for a service that may require a token; does not open a
   * connection yet.
   *
   * @param token sent with each request (RFC 6750), regardless of who listens at {@code base}; null
   *     for none
   */
  public KeywellClient(
      URI base, Duration timeout, @Nullable SSLContext tls, @Nullable String token) {
    this(
        new Connections(base, tls, token == null ? null : "Bearer " + token),
        timeout,
        null,
        null,
        Time.SYSTEM);
  }

  /** Creates a client without retries that waits for 60 s; does not open a connection yet. */
  public KeywellClient(URI base) {
    this(base, USUAL_DEADLINE, null);
  }

  /**
   * Returns this client with another deadline, for calls that have less or more time. It shares
   * this client's connections and is closed with it.
   */
  public KeywellClient within(Duration newDeadline) {
    return new KeywellClient(connections, newDeadline, retries, observer, time);
  }

  /** {@code POST /sign}. Returns a refusal instead of throwing it: callers count and report it. */
  public SignResult sign(SignRequest request) throws IOException, InterruptedException {
    return sign(request, null);
  }

  /**
   * Does the same as {@link #sign(SignRequest)}, as part of an experiment.
   *
   * @param testId names the experiment in the service's record of the request, 1 to 64 of {@code
   *     A-Z a-z 0-9 . _ : -}; null for none
   */
  public SignResult sign(SignRequest request, @Nullable String testId)
      throws IOException, InterruptedException {
    SignRequest named =
        request.requestId() == null && retries != null ? request.withId(newId()) : request;
    return timed("sign", Call.post("sign", named, named.requestId()).inTest(testId));
  }

  /**
   * {@code GET /sign/ID}: returns how an earlier request ended; empty while it is in progress. An
   * id that is unknown for this caller is refused with {@code request-unknown}.
   */
  public Optional<SignResult> result(String requestId) throws IOException, InterruptedException {
    long start = time.nanos();
    Answer answer = send("result", Call.get("sign/" + requestId, requestId));
    return answer.status() == 202
        ? Optional.empty()
        : Optional.of(resultOf(answer, Duration.ofNanos(time.nanos() - start)));
  }

  /**
   * {@code POST /acts}: has a key certified for digests that follow.
   *
   * @throws ServiceProblemException if the service refuses
   */
  public Act openAct(ActRequest request) throws IOException, InterruptedException {
    ActRequest named =
        request.actId() == null && retries != null ? request.withId(newId()) : request;
    return done(send("open-act", Call.post("acts", named, named.actId()))).read(Act.class);
  }

  /**
   * {@code POST /acts/ID/sign}: signs all digests of an open act, in their order.
   *
   * @throws ServiceProblemException if the service refuses
   */
  public SignResponse signAct(String actId, List<byte[]> digests)
      throws IOException, InterruptedException {
    Call call = Call.post("acts/" + actId + "/sign", new Digests(digests), actId);
    return done(send("sign-act", call)).read(SignResponse.class);
  }

  private record Digests(List<byte[]> digests) {}

  /**
   * {@code DELETE /acts/ID}: destroys an open act's key; harmless if it is already destroyed.
   *
   * @throws ServiceProblemException if the service refuses, e.g. with {@code act-signed}
   */
  public void cancelAct(String actId) throws IOException, InterruptedException {
    done(send("cancel-act", Call.delete("acts/" + actId, actId)));
  }

  /**
   * {@code GET /acts/ID}: returns an earlier act, and whether it is still open.
   *
   * @throws ServiceProblemException if the service refuses, e.g. with {@code request-unknown}
   */
  public Act act(String actId) throws IOException, InterruptedException {
    return done(send("act", Call.get("acts/" + actId, actId))).read(Act.class);
  }

  /**
   * {@code GET /ca/chain}: returns the issuing certificates and the root as PEM.
   *
   * @throws ServiceProblemException if the service refuses
   */
  public String chainPem() throws IOException, InterruptedException {
    Answer answer = done(send("chain", Call.get("ca/chain", null)));
    return new String(answer.body(), StandardCharsets.US_ASCII);
  }

  /**
   * {@code GET /tsa/chain}: returns the certificates of the service's time-stamp authority as PEM,
   * its own first; empty if the service makes no time stamps, or none for this caller.
   *
   * @throws ServiceProblemException if the service refuses for another reason
   */
  public Optional<String> timeStampChainPem() throws IOException, InterruptedException {
    Answer answer = send("time-stamp-chain", Call.get("tsa/chain", null));
    return answer.status() == 404 || answer.status() == 403
        ? Optional.empty()
        : Optional.of(new String(done(answer).body(), StandardCharsets.US_ASCII));
  }

  /**
   * {@code POST /tsa}: asks for a time stamp (RFC 3161).
   *
   * @param request a {@code TimeStampReq}, DER
   * @return a {@code TimeStampResp}, DER, which may be a rejection; not verified
   * @throws ServiceProblemException if the service refuses
   */
  public byte[] timeStamp(byte[] request) throws IOException, InterruptedException {
    Call call = Call.post("tsa", "application/timestamp-query", request);
    return done(send("time-stamp", call)).body();
  }

  /**
   * {@code GET /log/proof/ID}: returns the proof that a request's end is in the service's log, as a
   * C2SP {@code tlog-proof}. The end is there within seconds; asks until then, also if this client
   * does not retry otherwise. Verify it: this client does not.
   *
   * @param patience how long to ask while the log does not have it
   * @throws ServiceProblemException if the service refuses; with {@code log-entry-not-found} if the
   *     log does not have it in that time
   */
  public byte[] logProof(String requestId, Duration patience)
      throws IOException, InterruptedException {
    Call call = Call.getOfLog("proof/" + requestId, requestId);
    long start = time.nanos();
    for (int tries = 1; true; tries++) {
      Answer answer = send("log-proof", call);
      Duration pause = RetryPolicy.STANDARD.pause(tries, time.chance());
      boolean inTime = time.nanos() - start + pause.toNanos() <= patience.toNanos();
      if (!inTime || answer.status() != 404 || !answer.problem().is("log-entry-not-found")) {
        return done(answer).body();
      }
      time.sleep(pause);
    }
  }

  /**
   * {@code GET /log/PATH}: returns what the service's log has at a path of C2SP tlog-tiles, such as
   * {@code checkpoint} or {@code tile/0/000}, or its verifier keys at {@code key}; empty if it has
   * nothing there. Not verified.
   *
   * @throws ServiceProblemException if the service refuses
   */
  public Optional<byte[]> log(String path) throws IOException, InterruptedException {
    Answer answer = send("log", Call.getOfLog(path, null));
    return answer.status() == 404 ? Optional.empty() : Optional.of(done(answer).body());
  }

  /**
   * {@code GET /pool}: returns the current number of keys. Tries once.
   *
   * @throws ServiceProblemException if the service refuses
   */
  public PoolStatus pool() throws IOException, InterruptedException {
    return done(sendOnce("pool", Call.get("pool", null))).read(PoolStatus.class);
  }

  /**
   * Does the same as {@link #pool()} for a service that may still be starting: empty while it
   * cannot be reached, does not answer in time, or answers "not yet".
   */
  public Optional<PoolStatus> poolOnceUp() throws IOException, InterruptedException {
    try {
      return Optional.of(pool());
    } catch (NoAnswerException e) {
      if (isOfOneNotThere(e)) {
        return Optional.empty();
      }
      throw e;
    } catch (ServiceProblemException e) {
      if (e.problem().status() == 503) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Whether the service reports that it can take requests now; false also if nobody answers. Tries
   * once.
   */
  public boolean isReady() throws IOException, InterruptedException {
    try {
      return sendOnce("ready", Call.get("readyz", null)).status() == 200;
    } catch (NoAnswerException e) {
      if (isOfOneNotThere(e)) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Returns if the service reports that it can take requests now. Tries once; the role {@code sign}
   * or {@code observe} is sufficient.
   *
   * @throws ServiceProblemException if it reports that it cannot (status 503, without details), or
   *     refuses to tell
   */
  public void requireReady() throws IOException, InterruptedException {
    done(sendOnce("ready", Call.get("readyz", null)));
  }

  private static boolean isOfOneNotThere(NoAnswerException e) {
    return e.getCause() instanceof ConnectException || e.getCause() instanceof HttpTimeoutException;
  }

  private static String newId() {
    return UUID.randomUUID().toString();
  }

  private SignResult timed(String operation, Call call) throws IOException, InterruptedException {
    long start = time.nanos();
    Answer answer = send(operation, call);
    return resultOf(answer, Duration.ofNanos(time.nanos() - start));
  }

  private static SignResult resultOf(Answer answer, Duration roundTrip) throws IOException {
    return answer.status() == 200
        ? new SignResult.Signed(answer.read(SignResponse.class), answer.commits(), roundTrip)
        : new SignResult.Refused(answer.problem(), roundTrip);
  }

  private static Answer done(Answer answer) throws ServiceProblemException {
    if (answer.status() / 100 != 2) {
      throw new ServiceProblemException(answer.problem());
    }
    return answer;
  }

  private Answer send(String operation, Call call) throws IOException, InterruptedException {
    return observed(
        operation,
        call,
        retries == null ? null : new Tries(connections, retries, time, call, deadline));
  }

  private Answer sendOnce(String operation, Call call) throws IOException, InterruptedException {
    return observed(operation, call, null);
  }

  private Answer observed(String operation, Call call, @Nullable Tries tries)
      throws IOException, InterruptedException {
    if (observer == null) {
      return exchange(call, tries);
    }
    CallObserver.Observed observed = observer.begins(operation, call.id());
    try {
      Answer answer = exchange(call, tries);
      observed.ends(CallEnd.answered(tries == null ? 1 : tries.count(), answer));
      return answer;
    } catch (IOException | InterruptedException | RuntimeException e) {
      observed.ends(CallEnd.failed(tries == null ? 1 : tries.count(), e));
      throw e;
    }
  }

  /** Sends the call with these tries, or once. */
  private Answer exchange(Call call, @Nullable Tries tries)
      throws IOException, InterruptedException {
    if (tries != null) {
      return tries.run();
    }
    try {
      return connections.exchange(call, deadline);
    } catch (UnexpectedAnswerException e) {
      throw e;
    } catch (IOException e) {
      throw new NoAnswerException(connections.base(), call, 1, deadline, e);
    }
  }

  /**
   * Waits for answers in progress, then ends the client's threads and connections; on Java 17 to 20
   * these end on their own once nothing refers to the client.
   */
  @Override
  public void close() {
    connections.close();
  }
}
