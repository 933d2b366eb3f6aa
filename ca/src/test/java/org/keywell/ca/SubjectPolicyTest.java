package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom a profile lets certificates be issued for. */
class SubjectPolicyTest {
  private static final CertificateProfile NATURAL_PERSON =
      new ProfileBuilder().subject("etsi-natural-person").profile();

  private static Subject person(
      @Nullable String given,
      @Nullable String surname,
      @Nullable String serialNumber,
      @Nullable String country) {
    return new Subject("Sixten", given, surname, serialNumber, null, null, country);
  }

  private static CertificateProfile saying(@Nullable String nameRegistrationAuthority) {
    return new ProfileBuilder()
        .qcStatements(
            new QcSettings(
                false, List.of(), false, null, List.of(), true, nameRegistrationAuthority))
        .profile();
  }

  @ParameterizedTest
  @CsvSource({
    "Sixten, von S, PNOSE-1, SE",
    "Sixten, , PNOSE-1, SE",
    ", von S, PNOSE-1, SE",
  })
  void aNaturalPersonHasANameANumberAndACountry(
      @Nullable String given, @Nullable String surname, String number, String country) {
    assertThatCode(() -> NATURAL_PERSON.require(person(given, surname, number, country)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "GIVEN_NAME, , , PNOSE-1, SE",
    "SERIAL_NUMBER, Sixten, von S, , SE",
    "COUNTRY, Sixten, von S, PNOSE-1, ",
  })
  void whatIsMissingIsNamed(
      SubjectAttribute missing,
      @Nullable String given,
      @Nullable String surname,
      @Nullable String number,
      @Nullable String country) {
    assertThatExceptionOfType(InvalidSubjectException.class)
        .isThrownBy(() -> NATURAL_PERSON.require(person(given, surname, number, country)))
        .satisfies(e -> assertThat(e.attribute()).isEqualTo(missing))
        .withMessageContaining("is missing");
  }

  @Test
  void anySubjectWillDoByDefault() {
    assertThatCode(() -> new ProfileBuilder().profile().require(Subject.ofCommonName("Sixten")))
        .doesNotThrowAnyException();
  }

  /** ETSI EN 319 412-1, NAT-5.1.3-05. */
  @Test
  void aLocalKindOfIdentifierNeedsItsAuthority() {
    Subject local = person(null, null, "EI:SE-200007292386", null);
    assertThatExceptionOfType(InvalidSubjectException.class)
        .isThrownBy(() -> saying(null).require(local))
        .withMessageStartingWith("serialNumber is of a local kind");
    assertThatCode(() -> saying("https://authority.example").require(local))
        .doesNotThrowAnyException();
    assertThatCode(() -> saying(null).require(person(null, null, "PNOSE-1", null)))
        .doesNotThrowAnyException();
  }
}
