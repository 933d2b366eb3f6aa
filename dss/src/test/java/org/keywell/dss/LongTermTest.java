package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import eu.europa.esig.dss.enumerations.Indication;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.standin.PublishingCa;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;

/** Levels LT and LTA, judged by DSS's own policy, which trusts the root and fetches nothing. */
class LongTermTest {
  private static PublishingCa ca;
  private static StandInService service;
  private static KeywellClient client;
  private static PublishingCa.Unit forOneYear;
  private static PublishingCa.Unit forTwelveYears;
  private static ValidationSources sources;
  private static Validator validator;

  @BeforeAll
  static void start() throws Exception {
    ca = new PublishingCa();
    service = new StandInService(ca);
    forOneYear = ca.unit(Duration.ofDays(365));
    forTwelveYears = ca.unit(Duration.ofDays(12 * 365));
    forTwelveYears.serve(service);
    client = new KeywellClient(service.uri());
    sources = ValidationSources.trusting(List.of(ca.root()));
    validator = new Validator(ca.root());
  }

  @AfterAll
  static void stop() {
    client.close();
    service.close();
    ca.close();
  }

  private static Document sign(KeywellDocumentSigner signer, DocumentFormat format, String profile)
      throws Exception {
    return signer
        .sign(Key.EC.request().document(Samples.of(format), format).profile(profile).build())
        .document();
  }

  private static List<Document> contents(DocumentFormat format) {
    return format.detached() ? List.of(Samples.of(format)) : List.of();
  }

  private static void assertPassed(Validator.Opinion opinion, String level) {
    assertThat(opinion.indication()).as(opinion.toString()).isEqualTo(Indication.TOTAL_PASSED);
    assertThat(opinion.level()).endsWith("-BASELINE-" + level);
  }

  static Stream<Arguments> formatsAndLevels() {
    return Stream.of(DocumentFormat.values())
        .flatMap(format ->
            Stream.of(BaselineLevel.LT, BaselineLevel.LTA)
                .map(level -> Arguments.of(format, level)));
  }

  @ParameterizedTest
  @MethodSource("formatsAndLevels")
  void whatIsSignedPassesNowAndInTenYears(DocumentFormat format, BaselineLevel level)
      throws Exception {
    Document signed =
        sign(
            KeywellDocumentSigner.withTimestampsOfTheService(client).extendingTo(level, sources),
            format,
            "standard");

    assertPassed(validator.now(signed, contents(format)), level.name());
    assertPassed(validator.inTenYears(signed, contents(format)), level.name());
    Tampered tampered = Tampered.of(format, signed, Samples.of(format));
    assertThat(
            validator
                .now(tampered.signed(), format.detached() ? List.of(tampered.content()) : List.of())
                .indication())
        .isNotEqualTo(Indication.TOTAL_PASSED);
  }

  @ParameterizedTest
  @EnumSource
  void eachLevelIsReachedFromTheOneBelowAndRenewed(DocumentFormat format) throws Exception {
    Document signed = sign(new KeywellDocumentSigner(client), format, "standard");
    DocumentExtender extender = DocumentExtender.withTimestampsOf(client, sources);
    for (BaselineLevel level :
        List.of(BaselineLevel.T, BaselineLevel.LT, BaselineLevel.LTA, BaselineLevel.LTA)) {
      Document before = signed;
      signed = extender.extend(signed, contents(format), level);
      assertThat(signed.name()).isEqualTo(before.name());
      assertThat(signed.content().length).isGreaterThan(before.content().length);
      VerifiedDocument verified =
          DocumentVerification.trusting(List.of(ca.root())).verify(signed, contents(format));
      assertThat(verified.passed()).as(verified.toString()).isTrue();
      assertThat(verified.signatures().get(0).level()).endsWith("-BASELINE-" + level);
    }
    assertPassed(validator.now(signed, contents(format)), "LTA");
    assertPassed(validator.inTenYears(signed, contents(format)), "LTA");
  }

  @ParameterizedTest
  @ValueSource(strings = {"standard", "short-lived"})
  void aLevelLastsAsLongAsItsLastTimeStamp(String profile) throws Exception {
    KeywellDocumentSigner atT =
        new KeywellDocumentSigner(client, new TimestampAuthority(forOneYear.uri()));
    for (DocumentFormat format : List.of(DocumentFormat.PADES, DocumentFormat.XADES_ENVELOPED)) {
      Document t = sign(atT, format, profile);
      Document lt = sign(atT.extendingTo(BaselineLevel.LT, sources), format, profile);
      Document lta =
          DocumentExtender.withTimestampsOf(client, sources).extend(lt, BaselineLevel.LTA);

      assertPassed(validator.now(lt, List.of()), "LT");
      assertPassed(validator.now(lta, List.of()), "LTA");
      assertPassed(validator.inTenYears(lta, List.of()), "LTA");
      for (Document tooOld : List.of(t, lt)) {
        assertThat(validator.inTenYears(tooOld, List.of()).indication())
            .isEqualTo(Indication.INDETERMINATE);
      }
    }
  }

  /** DSS's policy passes RSA with 2048 bits until 2029. */
  @Test
  void aTimeStampProtectsAnAlgorithmThatGetsTooOld() throws Exception {
    Document signed =
        KeywellDocumentSigner.withTimestampsOfTheService(client)
            .extendingTo(BaselineLevel.LTA, sources)
            .sign(Key.RSA.request().document(Samples.pdf(), DocumentFormat.PADES).build())
            .document();

    assertPassed(validator.inTenYears(signed, List.of()), "LTA");
  }

  @Test
  void aSignerWithoutRevocationNeedsNoList() throws Exception {
    int before = ca.requests().size();
    Document signed =
        sign(
            KeywellDocumentSigner.withTimestampsOfTheService(client)
                .extendingTo(BaselineLevel.LT, sources),
            DocumentFormat.PADES,
            "short-lived");

    assertPassed(validator.now(signed, List.of()), "LT");
    assertThat(ca.requests().subList(before, ca.requests().size()))
        .as("the issuing CA's list and the time stamp unit's, each once")
        .hasSize(2)
        .contains("/root.crl");
  }

  @Test
  void severalDocumentsAreExtendedToo() throws Exception {
    SignedDocuments signed =
        KeywellDocumentSigner.withTimestampsOfTheService(client)
            .extendingTo(BaselineLevel.LTA, sources)
            .sign(
                Key.EC
                    .request()
                    .document(Samples.pdf(), DocumentFormat.PADES)
                    .document(Samples.text(), DocumentFormat.CADES_DETACHED)
                    .build());

    assertPassed(validator.now(signed.documents().get(0), List.of()), "LTA");
    assertPassed(validator.now(signed.documents().get(1), List.of(Samples.text())), "LTA");
  }

  @Test
  void aReachedLevelIsRefused() throws Exception {
    DocumentExtender extender = DocumentExtender.withTimestampsOf(client, sources);
    Document lta =
        extender.extend(
            sign(new KeywellDocumentSigner(client), DocumentFormat.PADES, "standard"),
            BaselineLevel.LTA);

    for (BaselineLevel level : List.of(BaselineLevel.B, BaselineLevel.T, BaselineLevel.LT)) {
      assertThatThrownBy(() -> extender.extend(lta, level))
          .isInstanceOf(DocumentExtensionException.class)
          .hasMessageContaining("is at PAdES-BASELINE-LTA and is not extended to level " + level);
    }
  }

  @Test
  void whatIsNotSignedOrBrokenIsRefused() throws Exception {
    DocumentExtender extender = DocumentExtender.withTimestampsOf(client, sources);
    for (Document unsigned :
        List.of(Samples.pdf(), Samples.xml(), Samples.text(), Samples.json())) {
      assertThatThrownBy(() -> extender.extend(unsigned, BaselineLevel.LTA))
          .isInstanceOf(DocumentExtensionException.class)
          .hasMessageContaining("has no signature");
    }
    for (DocumentFormat format :
        List.of(DocumentFormat.PADES, DocumentFormat.XADES_ENVELOPED, DocumentFormat.ASICE_CADES)) {
      Document signed = sign(new KeywellDocumentSigner(client), format, "standard");
      Document tampered = Tampered.of(format, signed, Samples.of(format)).signed();
      assertThatThrownBy(() -> extender.extend(tampered, BaselineLevel.LTA))
          .isInstanceOf(DocumentExtensionException.class)
          .hasMessageContaining("does not pass verification: TOTAL_FAILED");
    }
  }

  @Test
  void aSignerWithoutTimeStampsIsNotExtended() {
    KeywellDocumentSigner signer = new KeywellDocumentSigner(client);
    assertThatThrownBy(() -> signer.extendingTo(BaselineLevel.LT, sources))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() ->
            KeywellDocumentSigner.withTimestampsOfTheService(client)
                .extendingTo(BaselineLevel.T, sources))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
