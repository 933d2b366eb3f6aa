package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CertificateProfileTest {
  private static final List<String> URLS = List.of("http://example.org/a.crl");

  private static ProfileSettings lasting(Duration validity, Duration backdate) {
    return settings(validity, backdate, List.of(), null, List.of(), List.of(), List.of(), false);
  }

  private static ProfileSettings policies(@Nullable String cpsUri, List<String> policies) {
    return settings(policies, cpsUri, List.of(), List.of(), List.of(), false);
  }

  private static ProfileSettings settings(
      List<String> policies,
      @Nullable String cps,
      List<String> crls,
      List<String> caIssuers,
      List<String> extended,
      boolean noRevocation) {
    return settings(
        Duration.ofDays(1), Duration.ZERO, policies, cps, crls, caIssuers, extended, noRevocation);
  }

  private static ProfileSettings settings(
      Duration validity,
      Duration backdate,
      List<String> policies,
      @Nullable String cps,
      List<String> crls,
      List<String> caIssuers,
      List<String> extended,
      boolean noRevocation) {
    return new ProfileSettings(
        validity,
        Duration.ofSeconds(1),
        backdate,
        policies,
        cps,
        crls,
        caIssuers,
        List.of("contentCommitment"),
        extended,
        noRevocation);
  }

  private static ProfileSettings usage(List<String> usage) {
    return atLeast(Duration.ofSeconds(1), usage);
  }

  private static ProfileSettings atLeast(Duration minValidity, List<String> usage) {
    return new ProfileSettings(
        Duration.ofDays(1),
        minValidity,
        Duration.ZERO,
        List.of(),
        null,
        List.of(),
        List.of(),
        usage,
        List.of(),
        false);
  }

  static Stream<Arguments> badSettings() {
    Duration day = Duration.ofDays(1);
    List<String> none = List.of();
    List<String> eleven = IntStream.range(0, 11).mapToObj(i -> "2.999." + i).toList();
    return Stream.of(
        Arguments.of("validity", lasting(Duration.ofSeconds(59), Duration.ZERO)),
        Arguments.of("validity", lasting(Duration.ofDays(3654), Duration.ZERO)),
        Arguments.of("validity", lasting(Duration.ofDays(-1), Duration.ZERO)),
        Arguments.of("minValidity", atLeast(Duration.ZERO, List.of("contentCommitment"))),
        Arguments.of("minValidity", atLeast(day.plusSeconds(1), List.of("contentCommitment"))),
        Arguments.of("backdate", lasting(day, Duration.ofSeconds(-1))),
        Arguments.of("backdate", lasting(day, Duration.ofHours(25))),
        Arguments.of("policies", policies(null, List.of("3.1.2"))),
        Arguments.of("policies", policies(null, List.of("1.40.2"))),
        Arguments.of("policies", policies(null, List.of("1.3.06"))),
        Arguments.of("policies", policies(null, List.of("1.3"))),
        Arguments.of("policies", policies(null, List.of("anyPolicy"))),
        Arguments.of("policies", policies(null, List.of("2.999.1", "2.999.1"))),
        Arguments.of("policies", policies(null, eleven)),
        Arguments.of("cpsUri", policies("http://example.org/cps", none)),
        Arguments.of("cpsUri", policies("example.org/cps", List.of("2.999.1"))),
        Arguments.of("cpsUri", policies("ftp://example.org/cps", List.of("2.999.1"))),
        Arguments.of("cpsUri", policies("http://ex\u00E4mple.org/", List.of("2.999.1"))),
        Arguments.of("crlUris", settings(none, null, List.of("not a uri"), none, none, false)),
        Arguments.of("caIssuersUris", settings(none, null, none, List.of("/ca"), none, false)),
        Arguments.of("extendedKeyUsage", settings(none, null, none, none, List.of("x"), false)),
        Arguments.of("noRevocationAvailable", settings(none, null, URLS, none, none, true)),
        Arguments.of("keyUsage", usage(none)),
        Arguments.of("keyUsage", usage(List.of("keyCertSign"))));
  }

  @ParameterizedTest
  @MethodSource("badSettings")
  void aBadSettingNamesItself(String setting, ProfileSettings bad) {
    assertThatExceptionOfType(InvalidProfileException.class)
        .isThrownBy(() -> CertificateProfile.of(bad))
        .satisfies(e -> assertThat(e.setting()).isEqualTo(setting))
        .withMessageStartingWith(setting + " ");
  }

  @Test
  void defaultsAreAValidProfileOfTypeA() {
    assertThat(CertificateProfile.of(ProfileSettings.defaults()).keyUsage())
        .containsExactly(CertificateProfile.KeyUsage.CONTENT_COMMITMENT);
  }

  @Test
  void nonRepudiationIsTheOlderNameOfContentCommitment() {
    assertThat(
            CertificateProfile.of(usage(List.of("nonRepudiation", "digitalSignature"))).keyUsage())
        .containsExactlyInAnyOrder(CertificateProfile.KeyUsage.values());
  }
}
