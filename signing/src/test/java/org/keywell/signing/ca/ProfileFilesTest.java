package org.keywell.signing.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.BoundSettings;

final class ProfileFilesTest {

  @TempDir private Path directory;

  private static CertificateProfiles read(String... settings) {
    return ProfileFiles.read(BoundSettings.of(settings).ca()).profiles();
  }

  private CertificateProfiles readDirectory(String... settings) {
    String[] all = new String[settings.length + 1];
    System.arraycopy(settings, 0, all, 0, settings.length);
    all[settings.length] = "keywell.ca.profiles-directory=" + directory;
    return read(all);
  }

  private void write(String name, String content) throws IOException {
    Files.writeString(directory.resolve(name), content);
  }

  private void assertRefused(String message) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(this::readDirectory)
        .withMessageContaining(message);
  }

  @Test
  void twoAreThereFromTheBeginning() {
    CertificateProfiles profiles = read("keywell.ca.profile.validity=2h");
    assertThat(profiles.all()).containsOnlyKeys("standard", "short-lived");
    assertThat(profiles.find("standard").orElseThrow().validity()).isEqualTo(Duration.ofHours(2));
  }

  @Test
  void theShortLivedOneSaysThatNobodyNeedsToAsk() {
    CertificateProfile profile = read().find("short-lived").orElseThrow();
    assertThat(profile.validity().plus(profile.backdate())).isLessThan(Duration.ofHours(24));
    assertThat(profile.validityAssuredShortTerm()).isTrue();
    assertThat(profile.noRevocationAvailable()).isTrue();
    assertThat(profile.authenticationContext()).isTrue();
    assertThat(profile.crlUris()).isEmpty();
    assertThat(profile.ocspUris()).isEmpty();
  }

  @Test
  void filesAddProfilesAndReplaceTheTwo() throws Exception {
    write("gold.yaml", "profile: {validity: 3h, crl-uris: [\"http://ca.example/a.crl\"]}");
    write("standard.yaml", "profile: {validity: 4h}");
    write("short-lived.yaml", "profile: {validity: 5m}");
    write("..data", "of Kubernetes");
    CertificateProfiles profiles = readDirectory();
    assertThat(profiles.all()).containsOnlyKeys("gold", "standard", "short-lived");
    assertThat(profiles.find("gold").orElseThrow().validity()).isEqualTo(Duration.ofHours(3));
    assertThat(profiles.find("standard").orElseThrow().validity()).isEqualTo(Duration.ofHours(4));
    assertThat(profiles.find("short-lived").orElseThrow().validity())
        .isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void statementsAreReadFromAFile() throws Exception {
    write(
        "qualified.yaml",
        """
        profile:
          policies: [0.4.0.194112.1.2]
          subject: etsi-natural-person
          authentication-context: false
          qc-statements:
            compliance: true
            type: esign
            natural-person-semantics: true
            pds:
              - {language: en, url: "https://ca.example/pds.pdf"}
        """);
    CertificateProfile profile = readDirectory().find("qualified").orElseThrow();
    assertThat(profile.qcStatements().compliance()).isTrue();
    assertThat(profile.qcStatements().sscd()).isFalse();
    assertThat(profile.qcStatements().pds()).hasSize(1);
    assertThat(profile.authenticationContext()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          profile: {validity: 3y, x: 1}                          | profile.
          profile: {validty: 3h}                                 | profile.validty
          profile: {validity: long}                              | profile.validity
          profile: {validity: 30s}                               | profile.validity is PT30S
          profile: {cps-uri: "http://a.example"}                 | profile.cps-uri needs at least one
          profile: {qc-statements: {sscd: true}}                 | profile.qc-statements.compliance is needed
          profile: {subject: anybody}                            | profile.subject is 'anybody'
          other: {}                                              | all is below profile
          {                                                      | is not YAML
          """)
  void aBadFileIsNamedWithItsKey(String content, String message) throws Exception {
    write("gold.yaml", content);
    assertRefused(message);
    assertRefused("gold.yaml");
  }

  @ParameterizedTest
  @CsvSource({"gold.yml", "Gold.yaml", "gold", "g\u00F6ld.yaml"})
  void aFileThatIsNoProfilesIsNotPassedOver(String name) throws Exception {
    write(name, "profile: {validity: 3h}");
    assertRefused(name + ": profiles are in files NAME.yaml");
  }

  @Test
  void theStandardIsDescribedOnce() throws Exception {
    write("standard.yaml", "profile: {validity: 4h}");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> readDirectory("keywell.ca.profile.backdate=5m"))
        .withMessageContaining("standard.yaml")
        .withMessageContaining("keywell.ca.profile.*");
  }

  @Test
  void aDirectoryThatIsNotThereIsRefused() {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> read("keywell.ca.profiles-directory=" + directory.resolve("none")))
        .withMessageContaining("keywell.ca.profiles-directory");
  }

  @Test
  void listsByDayHaveAnAddress() throws Exception {
    write("listed.yaml", "profile: {crls-by-day: true}");

    assertRefused("'listed' names lists by day");
    assertRefused("keywell.ca.crl.uri is not set");
  }

  @Test
  void theyAreNotWithoutNumber() throws Exception {
    for (int i = 0; i < 33; i++) {
      write("p" + i + ".yaml", "profile: {validity: 3h}");
    }
    assertRefused("more than 32");
  }
}
