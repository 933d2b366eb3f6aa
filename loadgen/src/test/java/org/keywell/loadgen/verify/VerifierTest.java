package org.keywell.loadgen.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.keywell.client.CommitTimes;
import org.keywell.client.SignResponse;
import org.keywell.loadgen.TestChain;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class VerifierTest {
  private static final NumberedContent CONTENT = new NumberedContent(42);
  private static final SignResponse.Timestamps NO_TIMES =
      new SignResponse.Timestamps(null, null, null, null, null, null, null);

  private final TestChain chain;
  private final TestChain other;

  VerifierTest() throws Exception {
    chain = TestChain.make();
    other = TestChain.make();
  }

  private final List<Sample> right = new ArrayList<>();

  @BeforeAll
  void sign() throws Exception {
    for (int request = 1; request <= 21; request++) {
      right.add(sample(request, answer(chain, request, request)));
    }
  }

  private static SignResponse answer(TestChain chain, int signedRequest, int id) throws Exception {
    TestChain.Signed signed = chain.sign(CONTENT.digestOf(signedRequest));
    return new SignResponse(
        "id-" + id,
        signed.signature(),
        "ECDSA",
        List.of(signed.certificateDer(), chain.root().getEncoded()),
        true,
        NO_TIMES,
        0,
        0);
  }

  private static Sample sample(int request, SignResponse response) {
    return new Sample(request, 0, 0, 1, new Outcome.Signed(response, CommitTimes.UNKNOWN));
  }

  private Verification verify(VerifyMode mode, List<Sample> samples) throws Exception {
    return new Verifier(mode, CONTENT, chain.root()).verify(samples);
  }

  @Test
  void rightAnswersPass() throws Exception {
    Verification result = verify(VerifyMode.ALL, right);

    assertThat(result.isClean()).isTrue();
    assertThat(result.checked()).isEqualTo(21);
    assertThat(result.distinctKeys()).isEqualTo(21);
    assertThat(result.rootSha256()).hasSize(64);
  }

  @Test
  void samplesAreTheFirstAndEveryTenth() throws Exception {
    assertThat(verify(VerifyMode.SAMPLE, right).checked()).isEqualTo(3);
    assertThat(verify(VerifyMode.NONE, right).checked()).isZero();
    assertThat(verify(VerifyMode.NONE, right).distinctKeys()).isEqualTo(21);
  }

  @Test
  void aSignatureOverAnotherRequestsContentIsWrong() throws Exception {
    Verification result = verify(VerifyMode.ALL, List.of(sample(5, answer(chain, 6, 5))));

    assertThat(result.isClean()).isFalse();
    assertThat(result.firstProblem())
        .isEqualTo("request 5: the signature does not fit the content");
  }

  @Test
  void aChainToAnotherRootIsWrong() throws Exception {
    Verification result = verify(VerifyMode.ALL, List.of(sample(5, answer(other, 5, 5))));

    assertThat(result.invalid()).isEqualTo(1);
    assertThat(result.firstProblem()).startsWith("request 5: ");
  }

  @Test
  void aKeyThatSignsTwiceIsFoundEvenWithoutChecks() throws Exception {
    SignResponse answer = answer(chain, 1, 1);
    List<Sample> twice = List.of(sample(1, answer), sample(2, answer));

    Verification result = verify(VerifyMode.NONE, twice);

    assertThat(result.distinctKeys()).isEqualTo(1);
    assertThat(result.isClean()).isFalse();
  }

  @Test
  void anAnswerWithoutCertificatesIsWrong() throws Exception {
    SignResponse answer = answer(chain, 1, 1);
    SignResponse bare =
        new SignResponse("id", answer.signature(), "ECDSA", List.of(), true, NO_TIMES, 0, 0);

    assertThat(verify(VerifyMode.NONE, List.of(sample(1, bare))).isClean()).isFalse();
  }
}
