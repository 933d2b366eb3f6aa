package org.keywell.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.keywell.ca.CaChain;
import org.keywell.ca.Subject;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.testkit.ManualTime;

final class SignResponseTest {

  private static final byte[] LEAF = {1};
  private static final byte[] ISSUING = {2};
  private static final byte[] ROOT = {3};

  private final ManualTime time = new ManualTime();
  private final SignRequest request = request();

  private static SignRequest request() {
    byte[] digest = new byte[DigestAlgorithm.SHA_256.lengthBytes()];
    return new SignRequest(
        UUID.randomUUID(),
        digest,
        new SigningForm.Bare(),
        DigestAlgorithm.SHA_256,
        List.of(digest),
        SignatureScheme.ECDSA,
        KeySpec.EC_P256,
        Subject.ofCommonName("Astrid Exempel"),
        "standard",
        null,
        Duration.ofSeconds(30),
        Caller.onLoopback(),
        null);
  }

  @Test
  void tellsTheChainAndTheTimesOfARequestThatWasSigned() {
    RequestTimes times = new RequestTimes(time, time);
    time.advance(Duration.ofNanos(30_000_700));
    times.mark(Stage.REQUEST_START_TO_PROCESS);
    time.advance(Duration.ofNanos(12_000_900));
    times.mark(Stage.REQUEST_FINISHED);
    CaChain above = new CaChain(new byte[] {4}, List.of(ISSUING, ROOT));
    SignOutcome.Signed signed =
        new SignOutcome.Signed(
            List.of(new byte[] {9}),
            List.of(),
            new IssuedCertificate(LEAF, "5eed", above),
            KeyUse.of(null, LEAF, Destruction.DONE));

    SignResponse response = SignResponse.of(SignRecord.of(request, times, signed), signed);

    assertThat(response.requestId()).isEqualTo(request.requestId());
    assertThat(response.signatureAlgorithm()).isEqualTo("ECDSA");
    assertThat(response.certificateChain()).containsExactly(LEAF, ISSUING, ROOT);
    assertThat(response.preGeneratedKeyPair()).isFalse();
    assertThat(response.waitingTimeMicros())
        .isEqualTo(times.waiting().orElseThrow().toNanos() / 1000);
    assertThat(response.processTimeMicros())
        .isEqualTo(times.processing().orElseThrow().toNanos() / 1000);
    assertThat(response.timestamps().requestFinished())
        .isEqualTo(times.at(Stage.REQUEST_FINISHED).orElseThrow());
    assertThat(response.timestamps().signed()).isNull();
    assertThat(response.timestamps().keyDestroyedLater()).isNull();
  }
}
