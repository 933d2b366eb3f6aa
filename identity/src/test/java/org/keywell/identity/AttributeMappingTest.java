package org.keywell.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.ProvenIdentity.Attested;

final class AttributeMappingTest {

  private static final AttributeRule NAME = from(SubjectAttribute.COMMON_NAME, "name");
  private static final AttributeMapping MAPPING =
      new AttributeMapping(
          List.of(
              NAME,
              new AttributeRule(
                  SubjectAttribute.SERIAL_NUMBER, "personalNumber", "PNOSE", null, false),
              new AttributeRule(SubjectAttribute.ORGANIZATION, "org", null, null, true),
              new AttributeRule(SubjectAttribute.COUNTRY, null, null, "SE", false)));

  @Test
  void mapsByConfiguration() {
    assertThat(map(Map.of("name", "Astrid Exempel", "personalNumber", "197001011234")))
        .containsExactly(
            new Attested("name", SubjectAttribute.COMMON_NAME, "Astrid Exempel", "Astrid Exempel"),
            new Attested(
                "personalNumber",
                SubjectAttribute.SERIAL_NUMBER,
                "PNOSE-197001011234",
                "197001011234"),
            new Attested(null, SubjectAttribute.COUNTRY, "SE", "SE"));
  }

  @Test
  void namesWhatIsMissing() {
    ProofRefusedException refused = refusal(Map.of("name", "Astrid Exempel"));

    assertThat(refused.reason()).isEqualTo(ProofRefusal.ATTRIBUTES);
    assertThat(refused.detail()).contains("personalNumber", "serialNumber");
  }

  @ParameterizedTest
  @CsvSource({
    "Astrid\u202E, 197001011234, commonName",
    "'Astrid  Exempel', 197001011234, commonName",
    "Astrid, 1970 0101, serialNumber",
    "Astrid, -, serialNumber"
  })
  void takesNothingThatACertificateMayNotHave(String name, String number, String part) {
    ProofRefusedException refused = refusal(Map.of("name", name, "personalNumber", number));

    assertThat(refused.reason()).isEqualTo(ProofRefusal.ATTRIBUTES);
    assertThat(refused.detail()).contains(part).doesNotContain("Astrid", "1970");
  }

  @Test
  void onePartHasOneSource() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AttributeMapping(List.of(NAME, NAME)))
        .withMessageContaining("commonName");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AttributeMapping(List.of()))
        .withMessageContaining("attributes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PNO", "SE", "pnose", "PNOXX", "PNOSE-", "VATSE", ""})
  void semanticsNameKindAndCountry(String semantics) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new AttributeRule(SubjectAttribute.SERIAL_NUMBER, "pnr", semantics, null, false));
  }

  @Test
  void aRuleIsWhole() {
    assertRefused(null, "name", null, null, "subject");
    assertRefused(SubjectAttribute.SURNAME, null, null, null, "source or value");
    assertRefused(SubjectAttribute.SURNAME, "a", null, "b", "source or value");
    assertRefused(SubjectAttribute.SURNAME, "a", "PNOSE", null, "serialNumber");
    assertRefused(SubjectAttribute.SURNAME, " ", null, null, "source");
    assertRefused(SubjectAttribute.COUNTRY, null, null, "XX", "country");
  }

  private static void assertRefused(
      @Nullable SubjectAttribute subject,
      @Nullable String source,
      @Nullable String semantics,
      @Nullable String value,
      String naming) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AttributeRule(subject, source, semantics, value, false))
        .withMessageContaining(naming);
  }

  private static AttributeRule from(SubjectAttribute subject, String source) {
    return new AttributeRule(subject, source, null, null, false);
  }

  private static List<Attested> map(Map<String, String> ticket) {
    return MAPPING.map(ticket::get);
  }

  private static ProofRefusedException refusal(Map<String, String> ticket) {
    return catchThrowableOfType(ProofRefusedException.class, () -> map(ticket));
  }
}
