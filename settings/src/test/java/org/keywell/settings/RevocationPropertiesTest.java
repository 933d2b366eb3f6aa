package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.settings.RevocationProperties.WhenUnknown;

final class RevocationPropertiesTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void whatADeploymentLeavesBlankIsNotOn() {
    assertThat(properties(null, null).isOn()).isFalse();
    assertThat(properties(Path.of(""), " ").isOn()).isFalse();
    assertThat(properties(Path.of("ca.crl"), null).isOn()).isTrue();
    assertThat(properties(null, "certificate").isOn()).isTrue();
  }

  @Test
  void theResponderIsTheOneThatIsNamed() {
    assertThat(properties(null, "certificate").responder()).isNull();
    assertThat(properties(null, "http://ocsp.example/x").responder())
        .isEqualTo(URI.create("http://ocsp.example/x"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"true", "ocsp.example", "ldap://ocsp.example", "http:", "file:///x", "h t"})
  void whatIsNoResponderIsRefused(String ocsp) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> properties(null, ocsp))
        .withMessageContaining("keywell.security.revocation.ocsp");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0.9S,PT1S,max-age",
    "PT25H,PT1S,max-age",
    "PT1M,PT0S,time-limit",
    "PT1M,PT11S,time-limit"
  })
  void timesOutOfRangeAreRefused(Duration maxAge, Duration limit, String setting) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RevocationProperties(null, null, maxAge, limit, WhenUnknown.REFUSE))
        .withMessageContaining("keywell.security.revocation." + setting);
  }

  private static RevocationProperties properties(@Nullable Path file, @Nullable String ocsp) {
    return new RevocationProperties(file, ocsp, MINUTE, SECOND, WhenUnknown.REFUSE);
  }
}
