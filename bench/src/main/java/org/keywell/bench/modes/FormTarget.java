package org.keywell.bench.modes;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.client.Act;
import org.keywell.client.ActRequest;
import org.keywell.client.CommitTimes;
import org.keywell.client.KeywellClient;
import org.keywell.client.Problem;
import org.keywell.client.ServiceProblemException;
import org.keywell.client.SignRequest;
import org.keywell.client.SignResponse;
import org.keywell.client.SignResult;
import org.keywell.client.Signer;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Target;

/** A service that signs one digest at a time in one form; an act in two calls is one request. */
final class FormTarget implements Target {
  private static final Signer SIGNER = Signer.named("Keywell Bench");

  private final KeywellClient client;
  private final Form form;
  private final NumberedContent content;
  private final String keySpec;
  private final long deadlineMillis;

  FormTarget(
      KeywellClient client,
      Form form,
      NumberedContent content,
      String keySpec,
      long deadlineMillis) {
    this.client = client;
    this.form = form;
    this.content = content;
    this.keySpec = keySpec;
    this.deadlineMillis = deadlineMillis;
  }

  @Override
  public Outcome send(int request) throws InterruptedException {
    byte[] digest = content.digestOf(request);
    try {
      return switch (form) {
        case BARE -> inOneCall(digest, null);
        case CONTAINED -> inOneCall(digest, "CAdES-BASELINE-B");
        case IN_TWO_CALLS -> inTwoCalls(digest);
      };
    } catch (ServiceProblemException e) {
      return new Outcome.Failed(nameOf(e.problem()));
    } catch (IOException e) {
      return new Outcome.ConnectionFailed(e.getClass().getSimpleName());
    }
  }

  private Outcome inOneCall(byte[] digest, @Nullable String container)
      throws IOException, InterruptedException {
    SignResult result =
        client.sign(
            new SignRequest(
                null,
                NumberedContent.DIGEST,
                digest,
                null,
                container,
                null,
                keySpec,
                null,
                SIGNER,
                null,
                deadlineMillis));
    return switch (result) {
      case SignResult.Signed signed -> signed(signed.response());
      case SignResult.Refused refused -> new Outcome.Failed(nameOf(refused.problem()));
    };
  }

  private Outcome inTwoCalls(byte[] digest) throws IOException, InterruptedException {
    Act act =
        client.openAct(
            new ActRequest(
                null,
                NumberedContent.DIGEST,
                1,
                null,
                keySpec,
                null,
                SIGNER,
                null,
                null,
                deadlineMillis));
    return signed(client.signAct(act.actId(), List.of(digest)));
  }

  private static Outcome signed(SignResponse response) {
    return new Outcome.Signed(response, CommitTimes.UNKNOWN);
  }

  private static String nameOf(Problem problem) {
    String type = problem.type();
    return type == null ? "HTTP status " + problem.status() : type;
  }
}
