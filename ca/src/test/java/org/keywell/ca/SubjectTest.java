package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubjectTest {

  /** A subject with one attribute set, and the required common name. */
  static Subject with(SubjectAttribute attribute, String value) {
    return new Subject(
        attribute == SubjectAttribute.COMMON_NAME ? value : "X",
        only(attribute, SubjectAttribute.GIVEN_NAME, value),
        only(attribute, SubjectAttribute.SURNAME, value),
        only(attribute, SubjectAttribute.SERIAL_NUMBER, value),
        only(attribute, SubjectAttribute.ORGANIZATION, value),
        only(attribute, SubjectAttribute.ORGANIZATIONAL_UNIT, value),
        only(attribute, SubjectAttribute.COUNTRY, value));
  }

  private static @Nullable String only(
      SubjectAttribute wanted, SubjectAttribute attribute, String value) {
    return wanted == attribute ? value : null;
  }

  private static void assertRefused(SubjectAttribute attribute, String value) {
    assertThatExceptionOfType(InvalidSubjectException.class)
        .isThrownBy(() -> with(attribute, value))
        .satisfies(e -> assertThat(e.attribute()).isEqualTo(attribute))
        .satisfies(e -> assertThat(e).hasMessage(attribute.label() + " " + e.problem()));
  }

  @ParameterizedTest
  @EnumSource
  void refusesWhatIsBlankOrTooLongOrNotText(SubjectAttribute attribute) {
    assertRefused(attribute, "");
    assertRefused(attribute, " \u00A0\u2003");
    assertRefused(attribute, "x".repeat(attribute.upperBound() + 1));
    assertRefused(attribute, "\uD800");
    assertRefused(attribute, "\uDC00\uD800");
    assertRefused(attribute, "\0");
    assertRefused(attribute, "a\n");
    assertRefused(attribute, "a\u0085");
    assertRefused(attribute, "a\u2028");
    assertRefused(attribute, "a\u202E");
  }

  @Test
  void countsCodePointsNotChars() {
    String cats = "\uD83D\uDC31".repeat(64);
    assertThat(Subject.ofCommonName(cats).commonName()).isEqualTo(cats);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PNOSE-198001011234",
        "PASLV-P3000180",
        "IDCBE-590082394654",
        "EI:SE-200007292386"
      })
  void takesSemanticIdentifiers(String value) {
    assertThatCode(() -> with(SubjectAttribute.SERIAL_NUMBER, value)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "198001011234",
        "PNOSE198001011234",
        "PNOSE-",
        "XYZSE-1",
        "PNOse-1",
        "PNOSE-1_2",
        "PNOSE-\u00E4"
      })
  void refusesOtherSerialNumbers(String value) {
    assertRefused(SubjectAttribute.SERIAL_NUMBER, value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"se", "SWE", "XX", "UK", "\u0405E"})
  void refusesWhatIsNoCountry(String value) {
    assertRefused(SubjectAttribute.COUNTRY, value);
  }

  @Test
  void messageDoesNotRepeatTheValue() {
    assertThatExceptionOfType(InvalidSubjectException.class)
        .isThrownBy(() -> with(SubjectAttribute.SERIAL_NUMBER, "secret"))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
  }
}
