package org.keywell.loadgen.drive;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;
import org.keywell.client.NoAnswerException;
import org.keywell.client.Problem;
import org.keywell.client.SignRequest;
import org.keywell.client.SignResponse;
import org.keywell.client.SignResult;
import org.keywell.client.Signer;
import org.keywell.client.UnexpectedAnswerException;

/** A service, called through its HTTP contract. Never retries: a request ends as it ends. */
public final class ServiceTarget implements Target {
  private static final int HTTP_UNAVAILABLE = 503;
  private static final Signer SIGNER = Signer.named("Keywell Load");

  private final KeywellClient client;
  private final NumberedContent content;
  private final @Nullable String keySpec;
  private final @Nullable Long deadlineMillis;
  private final @Nullable String testId;
  private volatile List<byte[]> lastIssuers = List.of();

  /**
   * Creates a target.
   *
   * @param keySpec the kind of key to request; null for the service's default
   * @param deadlineMillis how long an answer is of use; null for the service's default
   * @param testId names the experiment in the service's records; null for none
   */
  public ServiceTarget(
      KeywellClient client,
      NumberedContent content,
      @Nullable String keySpec,
      @Nullable Long deadlineMillis,
      @Nullable String testId) {
    this.client = client;
    this.content = content;
    this.keySpec = keySpec;
    this.deadlineMillis = deadlineMillis;
    this.testId = testId;
  }

  @Override
  public Outcome send(int request) throws InterruptedException {
    SignRequest body =
        new SignRequest(
            null,
            NumberedContent.DIGEST,
            content.digestOf(request),
            null,
            keySpec,
            null,
            SIGNER,
            deadlineMillis);
    try {
      return outcomeOf(client.sign(body, testId));
    } catch (UnexpectedAnswerException e) {
      return new Outcome.Failed("unreadable answer");
    } catch (NoAnswerException e) {
      return outcomeOf(e.getCause());
    } catch (IOException e) {
      return new Outcome.ConnectionFailed(kindOf(e));
    }
  }

  private static Outcome outcomeOf(@Nullable Throwable lost) {
    return switch (lost) {
      case HttpConnectTimeoutException _, ConnectException _ ->
          new Outcome.ConnectionFailed("no connection");
      case HttpTimeoutException _ -> new Outcome.TimedOut();
      case null -> new Outcome.ConnectionFailed("no answer");
      default -> new Outcome.ConnectionFailed(kindOf(lost));
    };
  }

  private Outcome outcomeOf(SignResult result) {
    return switch (result) {
      case SignResult.Signed signed ->
          new Outcome.Signed(sharingIssuers(signed.response()), signed.commits());
      case SignResult.Refused(Problem problem, _) ->
          problem.status() == HTTP_UNAVAILABLE
              ? new Outcome.Refused(nameOf(problem))
              : new Outcome.Failed(nameOf(problem));
    };
  }

  private static String nameOf(Problem problem) {
    String type = problem.type();
    return type == null || type.equals("about:blank") ? "HTTP status " + problem.status() : type;
  }

  /** Returns the message if it is short, else the class: failures are counted by kind. */
  private static String kindOf(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.length() > 100 ? failure.getClass().getSimpleName() : message;
  }

  /** Thousands of answers contain the same issuers, which are kept once. */
  private SignResponse sharingIssuers(SignResponse r) {
    List<byte[]> chain = r.certificateChain();
    if (chain.size() < 2) {
      return r;
    }
    List<byte[]> issuers = chain.subList(1, chain.size());
    List<byte[]> last = lastIssuers;
    boolean same = issuers.size() == last.size();
    for (int i = 0; same && i < last.size(); i++) {
      same = Arrays.equals(issuers.get(i), last.get(i));
    }
    if (!same) {
      lastIssuers = List.copyOf(issuers);
      return r;
    }
    List<byte[]> shared = new ArrayList<>(List.of(chain.getFirst()));
    shared.addAll(last);
    return new SignResponse(
        r.requestId(),
        r.signature(),
        r.signatureAlgorithm(),
        shared,
        r.preGeneratedKeyPair(),
        r.timestamps(),
        r.waitingTimeMicros(),
        r.processTimeMicros());
  }
}
