package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateProfilesTest {
  private static final CertificateProfile PROFILE = new ProfileBuilder().profile();

  @Test
  void oneIsTheStandard() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CertificateProfiles(Map.of("other", PROFILE)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".hidden", "Capital", "a b", "../up", "\u00E5", "a/b", "a\nb"})
  void aNameIsPlain(String name) {
    assertThat(CertificateProfiles.isName(name)).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CertificateProfiles(Map.of("standard", PROFILE, name, PROFILE)));
  }

  @Test
  void aNameHasAtMost63Characters() {
    assertThat(CertificateProfiles.isName("a".repeat(63))).isTrue();
    assertThat(CertificateProfiles.isName("a".repeat(64))).isFalse();
  }

  @Test
  void theLongestOfTheShortestLivesCounts() {
    CertificateProfile hour = new ProfileBuilder().minValidity(Duration.ofHours(1)).profile();
    assertThat(new CertificateProfiles(Map.of("standard", PROFILE, "a", hour)).minValidity())
        .isEqualTo(Duration.ofHours(1));
  }

  @Test
  void whatIsNotThereIsNotFound() {
    assertThat(CertificateProfiles.ofStandard(ProfileSettings.defaults()).find("short-lived"))
        .isEmpty();
  }
}
