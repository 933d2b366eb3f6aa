package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.ca.standin.PublishingCa;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/** Signers of one document, each at a level of their own. */
class FurtherSignersTest {
  private static PublishingCa ca;
  private static StandInService service;
  private static KeywellClient client;
  private static ValidationSources sources;

  @BeforeAll
  static void start() throws Exception {
    ca = new PublishingCa();
    service = new StandInService(ca);
    ca.unit(Duration.ofDays(365)).serve(service);
    client = new KeywellClient(service.uri());
    sources = ValidationSources.trusting(List.of(ca.root()));
  }

  @AfterAll
  static void stop() {
    client.close();
    service.close();
    ca.close();
  }

  /** Signed by a signer for each level, in both profiles in turn. */
  static Document signed(
      KeywellClient client,
      ValidationSources sources,
      DocumentFormat format,
      List<BaselineLevel> levels)
      throws Exception {
    Document document = Samples.of(format);
    for (int i = 0; i < levels.size(); i++) {
      document =
          signer(client, sources, levels.get(i))
              .sign(
                  DocumentSignRequest.by(Signer.named("Signer " + i))
                      .document(document, format)
                      .profile(i % 2 == 0 ? "standard" : "short-lived")
                      .build())
              .document();
    }
    return document;
  }

  private static KeywellDocumentSigner signer(
      KeywellClient client, ValidationSources sources, BaselineLevel level) {
    return switch (level) {
      case B -> new KeywellDocumentSigner(client);
      case T -> KeywellDocumentSigner.withTimestampsOfTheService(client);
      case LT, LTA ->
          KeywellDocumentSigner.withTimestampsOfTheService(client).extendingTo(level, sources);
    };
  }

  /** {@link SeveralSignersIT} has all pairs of PDF and XML, with other judges. */
  static Stream<Arguments> pairs() {
    return Stream.of(
            DocumentFormat.PADES,
            DocumentFormat.XADES_ENVELOPED,
            DocumentFormat.CADES,
            DocumentFormat.JADES,
            DocumentFormat.ASICE_XADES,
            DocumentFormat.ASICE_CADES)
        .flatMap(format ->
            Stream.of(
                Arguments.of(format, BaselineLevel.B, BaselineLevel.LT),
                Arguments.of(format, BaselineLevel.LT, BaselineLevel.T),
                Arguments.of(format, BaselineLevel.LTA, BaselineLevel.LT),
                Arguments.of(format, BaselineLevel.LTA, BaselineLevel.LTA)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void eachSignatureReachesItsLevelAndPasses(
      DocumentFormat format, BaselineLevel first, BaselineLevel second) throws Exception {
    List<BaselineLevel> levels = List.of(first, second, first);
    Document document = signed(client, sources, format, levels);

    VerifiedDocument verified = DocumentVerification.trusting(List.of(ca.root())).verify(document);
    assertThat(verified.signatures()).as(verified.toString()).hasSize(3);
    assertThat(verified.passed()).as(verified.toString()).isTrue();
    for (VerifiedSignature signature : verified.signatures()) {
      BaselineLevel asked =
          levels.get(
              Integer.parseInt(
                  Objects.requireNonNull(signature.signer()).substring("Signer ".length())));
      assertThat(BaselineLevel.named(signature.level()).orElseThrow())
          .as(verified.toString())
          .isGreaterThanOrEqualTo(asked);
    }
  }

  static Stream<Arguments> formatsAndLevels() {
    return pairs()
        .map(pair -> pair.get()[0])
        .distinct()
        .flatMap(format ->
            Stream.of(BaselineLevel.T, BaselineLevel.LT, BaselineLevel.LTA)
                // A container's archive time stamp covers all CMS in it.
                .filter(level -> format != DocumentFormat.ASICE_CADES || level == BaselineLevel.LTA)
                .map(level -> Arguments.of(format, level)));
  }

  @ParameterizedTest
  @MethodSource("formatsAndLevels")
  void aSignatureBelowTheOthersIsExtended(DocumentFormat format, BaselineLevel level)
      throws Exception {
    Document mixed = signed(client, sources, format, List.of(BaselineLevel.LTA, BaselineLevel.B));

    Document extended = DocumentExtender.withTimestampsOf(client, sources).extend(mixed, level);

    VerifiedDocument verified = DocumentVerification.trusting(List.of(ca.root())).verify(extended);
    assertThat(verified.passed()).as(verified.toString()).isTrue();
    assertThat(verified.signatures())
        .as(verified.toString())
        .hasSize(2)
        .allSatisfy(signature ->
            assertThat(BaselineLevel.named(signature.level()).orElseThrow())
                .isGreaterThanOrEqualTo(level));
    assertThat(verified.signatures().stream().map(VerifiedSignature::level))
        .anyMatch(reached -> reached.endsWith("-LTA"));
  }
}
