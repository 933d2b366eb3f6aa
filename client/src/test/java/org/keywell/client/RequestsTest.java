package org.keywell.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.keywell.testkit.Answers;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.keywell.testkit.TestIdentity;

/** What requests look like on the wire, and what their answers are read as. */
class RequestsTest {
  private static final String ID = "4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e";
  private static final Signer ASTRID = Signer.named("Astrid");

  private StubService service;
  private KeywellClient client;

  @BeforeEach
  void start() throws Exception {
    service = StubService.start();
    client = new KeywellClient(service.uri());
  }

  @AfterEach
  void stop() {
    client.close();
    service.close();
  }

  private String sent() {
    return new String(service.bodies().getFirst(), UTF_8);
  }

  @Test
  void oneDigestIsSentAsOne() throws Exception {
    SignResult _ =
        client.sign(SignRequest.of(Digest.SHA_256).digest(new byte[] {1}).signer(ASTRID).build());

    assertThat(sent())
        .isEqualTo(
            "{\"digestAlgorithm\":\"SHA-256\",\"digest\":\"AQ==\",\"signer\":{\"commonName\":\"Astrid\"}}");
  }

  @Test
  void severalDigestsAreSentInTheirOrderWithAllThatIsSaid() throws Exception {
    SignResult _ =
        client.sign(
            SignRequest.of(Digest.SHA_384)
                .requestId(ID)
                .digest(new byte[] {2})
                .digest(new byte[] {1})
                .container(Container.PADES_BASELINE_B)
                .signatureAlgorithm("RSASSA-PSS")
                .keySpec("RSA-3072")
                .profile("short-lived")
                .identityProof(new IdentityProof("jwt", "ey", null))
                .deadline(Duration.ofSeconds(2))
                .build());

    assertThat(sent())
        .isEqualTo(
            "{\"requestId\":\"%s\",\"digestAlgorithm\":\"SHA-384\",\"digests\":[\"Ag==\",\"AQ==\"],"
                    .formatted(ID)
                + "\"container\":\"PAdES-BASELINE-B\",\"signatureAlgorithm\":\"RSASSA-PSS\","
                + "\"keySpec\":\"RSA-3072\",\"profile\":\"short-lived\","
                + "\"identityProof\":{\"type\":\"jwt\",\"value\":\"ey\"},\"deadlineMillis\":2000}");
  }

  @Test
  void anActIsOpenedSignedAndCancelled() throws Exception {
    String act =
        """
        {"actId":"%s","status":"open","instance":"keywell-1","expires":"2026-01-02T03:04:05Z",
         "digestCount":2,"digestAlgorithm":"SHA-256","signatureAlgorithm":"ECDSA",
         "certificateChain":["AQ=="],"later":true}
        """
            .formatted(ID);
    service.when("POST /acts", _ -> new Answer(201, "application/json", act.getBytes(UTF_8)));
    service.when("GET /acts/" + ID, _ -> Answer.json(act));
    service.when(
        "POST /acts/" + ID + "/sign",
        _ -> Answer.json(Answers.signed(TestIdentity.ec(), "ECDSA", new byte[] {7})));
    service.when("DELETE /acts/" + ID, _ -> new Answer(204, "text/plain", new byte[0]));

    Act opened =
        client.openAct(
            ActRequest.of(Digest.SHA_256, 2)
                .actId(ID)
                .signer(ASTRID)
                .keySpec("EC-P256")
                .signatureAlgorithm("ECDSA")
                .profile("standard")
                .identityProof(new IdentityProof("saml", "PA==", "_f6"))
                .timeToLive(Duration.ofMinutes(2))
                .deadline(Duration.ofSeconds(3))
                .build());

    assertThat(sent())
        .isEqualTo(
            "{\"actId\":\"%s\",\"digestAlgorithm\":\"SHA-256\",\"digestCount\":2,".formatted(ID)
                + "\"signatureAlgorithm\":\"ECDSA\",\"keySpec\":\"EC-P256\",\"profile\":\"standard\","
                + "\"signer\":{\"commonName\":\"Astrid\"},\"identityProof\":{\"type\":\"saml\","
                + "\"value\":\"PA==\",\"inResponseTo\":\"_f6\"},\"timeToLiveSeconds\":120,"
                + "\"deadlineMillis\":3000}");
    assertThat(opened.expires()).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
    assertThat(opened.certificateChain()).containsExactly(new byte[] {1});
    assertThat(client.act(ID).instance()).isEqualTo("keywell-1");
    assertThat(client.signAct(ID, List.of(new byte[] {1}, new byte[] {2})).signatures())
        .containsExactly(new byte[] {7});
    assertThat(new String(service.bodies().get(2), UTF_8))
        .isEqualTo("{\"digests\":[\"AQ==\",\"Ag==\"]}");
    client.cancelAct(ID);
  }

  @Test
  void howARequestEndedIsToldLater() throws Exception {
    service.when("GET /sign/" + ID, _ -> new Answer(202, "application/json", "{}".getBytes(UTF_8)));
    assertThat(client.result(ID)).isEmpty();

    service.when(
        "GET /sign/" + ID,
        _ -> Answer.json(Answers.signed(TestIdentity.ec(), "ECDSA", new byte[] {7})));
    Optional<SignResult> signed = client.result(ID);
    assertThat(signed).hasValueSatisfying(r -> assertThat(r).isInstanceOf(SignResult.Signed.class));

    service.when(
        "GET /sign/" + ID,
        _ -> Answer.problem(404, "{\"type\":\"urn:keywell:problem:request-unknown\"}"));
    SignResult refused = client.result(ID).orElseThrow();
    assertThatExceptionOfType(ServiceProblemException.class)
        .isThrownBy(refused::orThrow)
        .satisfies(e -> assertThat(e.problem().is("request-unknown")).isTrue());
  }

  @Test
  void whatNoServiceCouldUseIsNotBuilt() {
    assertThatIllegalStateException()
        .isThrownBy(() -> SignRequest.of(Digest.SHA_256).signer(ASTRID).build());
    assertThatIllegalStateException()
        .isThrownBy(() -> SignRequest.of(Digest.SHA_256).digest(new byte[32]).build());
    assertThatIllegalStateException().isThrownBy(() -> ActRequest.of(Digest.SHA_256, 1).build());
    assertThatIllegalArgumentException().isThrownBy(() -> ActRequest.of(Digest.SHA_256, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeywellClient.at(service.uri()).deadline(Duration.ZERO).build());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RetryPolicy(Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO, 1));
  }

  /** What is built does not change with the arrays that it was built from. */
  @Test
  void digestsAreCopied() throws Exception {
    byte[] digest = {1};
    SignRequestBuilder builder = SignRequest.of(Digest.SHA_256).digest(digest).signer(ASTRID);
    digest[0] = 9;

    assertThat(builder.build().digest()).containsExactly(1);
  }
}
