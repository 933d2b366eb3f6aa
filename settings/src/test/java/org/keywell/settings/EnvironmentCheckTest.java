package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whose variables stop a start. */
final class EnvironmentCheckTest {

  @Test
  void thoseOfApplicationsWithTheStarterAreLeftAlone() {
    assertThatCode(() ->
            EnvironmentCheck.refuseUnknown(
                Set.of("KEYWELL_CLIENT_URI", "KEYWELL_CLIENT_SSL_BUNDLE", "KEYWELL_CLIENT_X")))
        .doesNotThrowAnyException();
  }

  @Test
  void aMisspeltOneOfTheServicesIsNot() {
    assertThatThrownBy(() -> EnvironmentCheck.refuseUnknown(Set.of("KEYWELL_SIGN_MAXDIGEST")))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageEndingWith(": KEYWELL_SIGN_MAXDIGEST");
  }
}
