package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

class EveryFormatTest {
  private static StandInService service;
  private static KeywellClient client;

  @BeforeAll
  static void start() throws IOException {
    service = new StandInService();
    client = new KeywellClient(service.uri());
  }

  @AfterAll
  static void stop() {
    client.close();
    service.close();
  }

  static Stream<Arguments> formatsAndKeys() {
    return Arrays.stream(DocumentFormat.values())
        .flatMap(format ->
            Stream.of(
                Arguments.of(format, "RSA-2048", "RSASSA-PKCS1-v1_5"),
                Arguments.of(format, "RSA-2048", "RSASSA-PSS"),
                Arguments.of(format, "EC-P256", "ECDSA")));
  }

  @ParameterizedTest
  @MethodSource("formatsAndKeys")
  void dssPassesWhatWasSigned(DocumentFormat format, String keySpec, String algorithm)
      throws Exception {
    Document content = Samples.of(format);
    SignedDocuments signed =
        new KeywellDocumentSigner(client)
            .sign(
                DocumentSignRequest.by(Signer.named("Astrid Lindgren"))
                    .document(content, format)
                    .keySpec(keySpec)
                    .signatureAlgorithm(algorithm)
                    .build());

    VerifiedDocument verified =
        DocumentVerification.trusting(List.of(service.root()))
            .verify(signed.document(), format.detached() ? List.of(content) : List.of());

    assertThat(verified.passed()).as(verified.toString()).isTrue();
  }
}
