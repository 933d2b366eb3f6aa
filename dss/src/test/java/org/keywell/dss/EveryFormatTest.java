package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;

class EveryFormatTest {
  @TempDir private static Path directory;
  private static StandInService service;
  private static TimestampServer timestamps;
  private static KeywellClient client;

  @BeforeAll
  static void start() throws Exception {
    service = new StandInService();
    timestamps = new TimestampServer(directory);
    client = new KeywellClient(service.uri());
  }

  @AfterAll
  static void stop() {
    client.close();
    timestamps.close();
    service.close();
  }

  static Stream<Arguments> formatsAndKeys() {
    return Arrays.stream(DocumentFormat.values())
        .flatMap(format -> Arrays.stream(Key.values()).map(key -> Arguments.of(format, key)));
  }

  @ParameterizedTest
  @MethodSource("formatsAndKeys")
  void dssPassesWhatWasSigned(DocumentFormat format, Key key) throws Exception {
    Document content = Samples.of(format);
    Document signed =
        new KeywellDocumentSigner(client)
            .sign(key.request().document(content, format).build())
            .document();

    assertPassed(verify(format, signed, content), "-BASELINE-B");
    Tampered tampered = Tampered.of(format, signed, content);
    assertThat(verify(format, tampered.signed(), tampered.content()).passed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("formatsAndKeys")
  void dssPassesWhatWasTimeStampedToo(DocumentFormat format, Key key) throws Exception {
    Document content = Samples.of(format);
    Document signed =
        new KeywellDocumentSigner(client, new TimestampAuthority(timestamps.uri()))
            .sign(key.request().document(content, format).build())
            .document();

    assertPassed(verify(format, signed, content), "-BASELINE-T");
    Tampered tampered = Tampered.of(format, signed, content);
    assertThat(verify(format, tampered.signed(), tampered.content()).passed()).isFalse();
  }

  private static void assertPassed(VerifiedDocument verified, String level) {
    assertThat(verified.unreadable()).isNull();
    assertThat(verified.signatures())
        .singleElement()
        .satisfies(signature -> {
          assertThat(signature.indication()).as(signature.toString()).isEqualTo("TOTAL_PASSED");
          assertThat(signature.level()).endsWith(level);
          assertThat(signature.signer()).isEqualTo("Astrid Lindgren");
        });
  }

  private static VerifiedDocument verify(DocumentFormat format, Document signed, Document content)
      throws IOException, CertificateException {
    return DocumentVerification.trusting(List.of(service.root(), timestamps.root()))
        .verify(signed, format.detached() ? List.of(content) : List.of());
  }
}
