package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CertificateProfileTest {
  private static final Duration DAY = Duration.ofDays(1);

  private static ProfileBuilder with() {
    return new ProfileBuilder();
  }

  private static ProfileBuilder qualified(UnaryOperator<QcBuilder> change) {
    return SampleProfiles.qualified().qcStatements(change.apply(new QcBuilder()).settings());
  }

  /** Statements that hold, but for what a case changes. */
  private static final class QcBuilder {
    private boolean compliance = true;
    private List<String> legislation = List.of();
    private boolean sscd;
    private @Nullable String type = "esign";
    private List<QcSettings.Pds> pds =
        List.of(new QcSettings.Pds("en", "https://ca.example/pds.pdf"));
    private boolean semantics = true;
    private @Nullable String authority;

    QcBuilder compliance(boolean value) {
      compliance = value;
      return this;
    }

    QcBuilder legislation(String... values) {
      legislation = List.of(values);
      return this;
    }

    QcBuilder sscd(boolean value) {
      sscd = value;
      return this;
    }

    QcBuilder type(@Nullable String value) {
      type = value;
      return this;
    }

    QcBuilder pds(String... languagesAndUrls) {
      pds =
          IntStream.range(0, languagesAndUrls.length / 2)
              .mapToObj(
                  i -> new QcSettings.Pds(languagesAndUrls[2 * i], languagesAndUrls[2 * i + 1]))
              .toList();
      return this;
    }

    QcBuilder authority(boolean stated, String value) {
      semantics = stated;
      authority = value;
      return this;
    }

    QcSettings settings() {
      return new QcSettings(compliance, legislation, sscd, type, pds, semantics, authority);
    }
  }

  static Stream<Arguments> badSettings() {
    String[] eleven = IntStream.range(0, 11).mapToObj(i -> "2.999." + i).toArray(String[]::new);
    String crl = "http://example.org/a.crl";
    return Stream.of(
            Stream.of(
                Arguments.of("validity", with().validity(Duration.ofSeconds(59))),
                Arguments.of("validity", with().validity(Duration.ofDays(3654))),
                Arguments.of("validity", with().validity(Duration.ofDays(-1))),
                Arguments.of("minValidity", with().minValidity(Duration.ZERO)),
                Arguments.of("minValidity", with().minValidity(DAY.plusSeconds(1))),
                Arguments.of("backdate", with().backdate(Duration.ofSeconds(-1))),
                Arguments.of("backdate", with().backdate(Duration.ofHours(25))),
                Arguments.of("policies", with().policies("3.1.2")),
                Arguments.of("policies", with().policies("1.40.2")),
                Arguments.of("policies", with().policies("1.3.06")),
                Arguments.of("policies", with().policies("1.3")),
                Arguments.of("policies", with().policies("anyPolicy")),
                Arguments.of("policies", with().policies("2.999.1", "2.999.1")),
                Arguments.of("policies", with().policies(eleven)),
                Arguments.of("cpsUri", with().cpsUri("http://example.org/cps")),
                Arguments.of("cpsUri", with().policies("2.999.1").cpsUri("example.org/cps")),
                Arguments.of("cpsUri", with().policies("2.999.1").cpsUri("ftp://example.org/cps")),
                Arguments.of(
                    "cpsUri", with().policies("2.999.1").cpsUri("http://ex\u00E4mple.org/")),
                Arguments.of("crlUris", with().crlUris("not a uri")),
                Arguments.of("ocspUris", with().ocspUris("ocsp.example")),
                Arguments.of("caIssuersUris", with().caIssuersUris("/ca")),
                Arguments.of("crlsByDay", with().crlsByDay(true).crlUris(crl)),
                Arguments.of("extendedKeyUsage", with().extendedKeyUsage("x")),
                Arguments.of("keyUsage", with().keyUsage()),
                Arguments.of("keyUsage", with().keyUsage("keyCertSign")),
                Arguments.of("subject", with().subject("somebody"))),
            Stream.of(
                Arguments.of(
                    "noRevocationAvailable", with().crlUris(crl).noRevocationAvailable(true)),
                Arguments.of(
                    "noRevocationAvailable",
                    with().ocspUris("http://ocsp.example").noRevocationAvailable(true)),
                Arguments.of(
                    "validityAssuredShortTerm",
                    with()
                        .validity(DAY)
                        .backdate(Duration.ofSeconds(1))
                        .crlUris(crl)
                        .validityAssuredShortTerm(true)),
                Arguments.of(
                    "noRevocationAvailable", with().crlsByDay(true).noRevocationAvailable(true)),
                Arguments.of(
                    "validityAssuredShortTerm",
                    with().validity(Duration.ofHours(1)).validityAssuredShortTerm(true))),
            Stream.of(
                Arguments.of("policies", SampleProfiles.qualified().policies()),
                Arguments.of("subject", SampleProfiles.qualified().subject("any")),
                Arguments.of("qcStatements.type", qualified(qc -> qc.type("eseal"))),
                Arguments.of("qcStatements.type", qualified(qc -> qc.type(null))),
                Arguments.of("qcStatements.pds", qualified(QcBuilder::pds)),
                Arguments.of("qcStatements.pds", qualified(qc -> qc.pds("sv", "https://a.se/x"))),
                Arguments.of("qcStatements.pds", qualified(qc -> qc.pds("en", "http://a.se/x"))),
                Arguments.of("qcStatements.pds", qualified(qc -> qc.pds("en", "pds.pdf"))),
                Arguments.of(
                    "qcStatements.pds",
                    qualified(qc -> qc.pds("en", "https://a.se/x", "en", "https://a.se/y"))),
                Arguments.of(
                    "qcStatements.pds",
                    qualified(qc -> qc.pds("en", "https://a.se/x", "xx", "https://a.se/y"))),
                Arguments.of(
                    "qcStatements.compliance", qualified(qc -> qc.compliance(false).sscd(true))),
                Arguments.of(
                    "qcStatements.compliance",
                    qualified(qc -> qc.compliance(false).legislation("CH"))),
                Arguments.of("qcStatements.legislation", qualified(qc -> qc.legislation("Swiss"))),
                Arguments.of(
                    "qcStatements.nameRegistrationAuthority",
                    qualified(qc -> qc.authority(true, "skatteverket"))),
                Arguments.of(
                    "qcStatements.nameRegistrationAuthority",
                    qualified(qc -> qc.authority(false, "https://skatteverket.se")))))
        .flatMap(cases -> cases);
  }

  @ParameterizedTest
  @MethodSource("badSettings")
  void aBadSettingNamesItself(String setting, ProfileBuilder bad) {
    assertThatExceptionOfType(InvalidProfileException.class)
        .isThrownBy(bad::profile)
        .satisfies(e -> assertThat(e.setting()).isEqualTo(setting))
        .withMessageStartingWith(setting + " ");
  }

  @Test
  void defaultsAreAValidProfileOfTypeA() {
    assertThat(with().profile().keyUsage())
        .containsExactly(CertificateProfile.KeyUsage.CONTENT_COMMITMENT);
  }

  @Test
  void nonRepudiationIsTheOlderNameOfContentCommitment() {
    assertThat(with().keyUsage("nonRepudiation", "digitalSignature").profile().keyUsage())
        .containsExactlyInAnyOrder(CertificateProfile.KeyUsage.values());
  }

  /** ETSI EN 319 411-1, REV-6.2.4-03A: 24 hours from notBefore to notAfter. */
  @Test
  void aShortTermIsADayWithAllOfIt() {
    CertificateProfile longest =
        with()
            .validity(DAY.minusMinutes(1))
            .backdate(Duration.ofMinutes(1))
            .noRevocationAvailable(true)
            .validityAssuredShortTerm(true)
            .profile();
    assertThat(longest.validityAssuredShortTerm()).isTrue();
  }

  /** With a CRL or OCSP it need not say that there is none (EN 319 412-2, GEN-4.3.11-2A). */
  @Test
  void aShortTermMayHaveRevocationAllTheSame() {
    assertThat(
            with()
                .validity(Duration.ofHours(1))
                .ocspUris("http://ocsp.example")
                .validityAssuredShortTerm(true)
                .profile()
                .noRevocationAvailable())
        .isFalse();
  }
}
