package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LookAlikeNamesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Astrid Exempel",
        "O\u2019Brien",
        "D'Angelo-Smith, Jr.",
        "\u0141ukasz \u017B\u00F3\u0142\u0107",
        "Gro\u00DF",
        "\u00DE\u00F3r J\u00F3nsd\u00F3ttir",
        "Nguy\u1EC5n Th\u1ECB Ng\u1ECDc",
        "Pel\u00B7l\u00EDcula Gal\u00B7la",
        "\u039D\u03AF\u03BA\u03BF\u03C2 \u03A0\u03B1\u03C0\u03B1\u03B4\u03CC\u03C0\u03BF\u03C5\u03BB\u03BF\u03C2",
        "\u0410\u043B\u0435\u043A\u0441\u0430\u043D\u0434\u0440 \u0406\u0432\u0430\u043D\u043E\u0432",
        "\u042F\u043D\u0434\u0435\u043A\u0441 LLC",
        "\u041A\u043E\u043A\u0430-Cola",
        "\u4F50\u3005\u6728 \u30B5\u30FC\u30D0\u30FC",
        "NTT\u30C9\u30B3\u30E2\u682A\u5F0F\u4F1A\u793E",
        "\u9ED2\u6F64\u306F\u308B\u304B",
        "\uAE40\u6C38\u6CF0",
        "\u0645\u062D\u0645\u062F \u0639\u0644\u064A",
        "\u0905\u0928\u093F\u0924\u093E 7",
        "J\u0332ohn",
        "\u05E9\u05B8\u05C1\u05DC\u05D5\u05B9\u05DD",
        "\u0645\u064F\u062D\u064E\u0645\u064E\u0651\u062F",
        "\u0E1B\u0E34\u0E48\u0E19",
        "x\u0316\u0317\u0318\u0319",
        "Unit 7/8 (B2)"
      })
  void realNamesPass(String name) {
    assertThatCode(() -> LookAlikeNames.refuse(Subject.ofCommonName(name)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\uFF21strid Exempel",
        "\uD835\uDC00strid Exempel",
        "Sta\uFB00an",
        "Oper\u00AAtor",
        "Henry \u2167",
        "Paral\u0140el",
        "\uFF94\uFF8F\uFF80\uFF9E",
        "Acme\u2122",
        "\u0410strid Exempel",
        "Exempel \u0391strid",
        "Ex\u0435mpel",
        "Bert\u13A5l",
        "\u30AB\uAC00",
        "\u0441\u6771",
        "\u3105\uAC00",
        "A\u20DD",
        "A\u20E3strid",
        "A\u0488strid",
        "\u0410\u0489",
        "A\uA670strid",
        "A\u1ABEstrid",
        "A\u20D2strid",
        "l\u0335",
        "l\u0338",
        "A\uFE20B\uFE21",
        "\uD83C\uDD50strid",
        "\uD83C\uDD70strid",
        "\uD83C\uDDF8\uD83C\uDDEA",
        "Unit \u24FF",
        "Unit \u2776",
        "x\u0332\u0332",
        "x\u0316\u0317\u0318\u0319\u031C",
        "A\u0652strid"
      })
  void lookAlikesAreRefused(String name) {
    assertThatExceptionOfType(InvalidSubjectException.class)
        .isThrownBy(() -> LookAlikeNames.refuse(Subject.ofCommonName(name)));
  }

  @ParameterizedTest
  @EnumSource(
      names = {"COMMON_NAME", "GIVEN_NAME", "SURNAME", "ORGANIZATION", "ORGANIZATIONAL_UNIT"})
  void eachAttributeIsLookedAt(SubjectAttribute attribute) {
    assertThatExceptionOfType(InvalidSubjectException.class)
        .isThrownBy(() -> LookAlikeNames.refuse(SubjectTest.with(attribute, "\uFF21")))
        .matches(e -> e.attribute() == attribute);
  }
}
