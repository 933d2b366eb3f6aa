package org.keywell.signing.caller;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.settings.StartRefusedException;

final class CallersFileTest {

  private static final Set<String> PROFILES = Set.of("standard", "short-lived");

  @Test
  void aCallerHasWhatItsEntrySays() throws Exception {
    Callers callers =
        parse(
            """
            callers:
              - name: tax-portal
                certificate:
                  subject: "CN=tax portal, O=Agency, C=SE"
                roles: [sign, observe]
                key-specs: [RSA-2048, EC-P256]
                profiles: [short-lived, standard]
                identity: trusted-caller
                rate-per-second: 50
                burst: 100
                daily-quota: 100000
                queue-share-percent: 30
            """);

    assertThat(callers.of(TestCertificates.of("CN=tax portal,O=Agency,C=SE")))
        .hasValue(
            new Caller(
                "tax-portal",
                Set.of(Role.SIGN, Role.OBSERVE),
                Set.of(KeySpec.RSA_2048, KeySpec.EC_P256),
                List.of("short-lived", "standard"),
                IdentityPolicy.TRUSTED_CALLER,
                new CallerLimits(50, 100, 100_000, 30)));
  }

  @Test
  void whatIsNotSaidGivesNoRightAndNoLimit() throws Exception {
    Callers callers = parse("callers: [{name: a, certificate: {subject: CN=a}, roles: [sign]}]");

    assertThat(callers.of(TestCertificates.of("CN=a")))
        .hasValue(
            new Caller(
                "a",
                Set.of(Role.SIGN),
                Set.of(),
                List.of(),
                IdentityPolicy.REQUIRED,
                new CallerLimits(0, 0, 0, 50)));
  }

  @Test
  void aBurstIsTheRateUnlessItIsSaid() throws Exception {
    Callers callers =
        parse(
            "callers: [{name: a, certificate: {subject: CN=a}, roles: [sign], rate-per-second: 7}]");

    assertThat(callers.of(TestCertificates.of("CN=a")).orElseThrow().limits().burst()).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CN=portal,O=Agency | true",
        "cn=portal,o=Agency | true",
        "CN=PORTAL,O=Agency | false",
        "CN=portal, O=Agency | true",
        "O=Agency,CN=portal | false",
        "CN=portal | false",
        "CN=portal,O=Agency,C=SE | false",
        "CN=portal\\,O\\=Agency | false",
      })
  void subjectsAreComparedAsNames(String subject, boolean same) throws Exception {
    Callers callers =
        parse(
            "callers: [{name: a, certificate: {subject: \"CN=portal,O=Agency\"}, roles: [sign]}]");

    assertThat(callers.of(TestCertificates.of(subject)).isPresent()).isEqualTo(same);
  }

  @Test
  void aCertificateMayBeKnownByItsOtherNames() throws Exception {
    X509Certificate pinned = TestCertificates.of("CN=pinned");
    String sha256 =
        HexFormat.of()
            .withUpperCase()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(pinned.getEncoded()));
    Callers callers =
        parse(
            """
            callers:
              - {name: dns, certificate: {san-dns: Portal.example}, roles: [sign]}
              - {name: uri, certificate: {san-uri: "spiffe://example/portal"}, roles: [sign]}
              - {name: pinned, certificate: {sha256: "%s"}, roles: [sign]}
            """
                .formatted(sha256));

    assertThat(name(callers, TestCertificates.of("CN=x", TestCertificates.dns("portal.EXAMPLE"))))
        .isEqualTo("dns");
    assertThat(
            name(
                callers,
                TestCertificates.of("CN=x", TestCertificates.uri("spiffe://example/portal"))))
        .isEqualTo("uri");
    assertThat(name(callers, pinned)).isEqualTo("pinned");
    assertThat(name(callers, TestCertificates.of("CN=pinned"))).as("another key").isEmpty();
    assertThat(name(callers, TestCertificates.of("CN=x", TestCertificates.uri("portal.example"))))
        .as("a DNS name where a URI belongs")
        .isEmpty();
    assertThat(name(callers, TestCertificates.of("CN=portal.example"))).isEmpty();
  }

  @Test
  void aCallerMaySendOverABrokerAlone() throws Exception {
    Callers callers =
        parse(
            """
            callers:
              - {name: a, certificate: {subject: CN=a}, broker-user: batch, roles: [sign]}
              - {name: b, broker-user: Batch, roles: [sign]}
            """);

    assertThat(callers.size()).isEqualTo(2);
    assertThat(callers.ofBrokerUser("batch").map(Caller::name)).hasValue("a");
    assertThat(callers.ofBrokerUser("Batch").map(Caller::name)).hasValue("b");
    assertThat(callers.ofBrokerUser("BATCH")).isEmpty();
    assertThat(callers.ofBrokerUser("a")).isEmpty();
    assertThat(name(callers, TestCertificates.of("CN=a"))).isEqualTo("a");
    assertThat(name(callers, TestCertificates.of("CN=batch"))).isEmpty();
  }

  /** Otherwise the issuer of certificates could choose which of two callers a client is. */
  @Test
  void aCertificateWithTheNamesOfTwoCallersIsNobodys() throws Exception {
    Callers callers =
        parse(
            """
            callers:
              - {name: a, certificate: {subject: CN=a}, roles: [sign]}
              - {name: b, certificate: {san-dns: b.example}, roles: [observe]}
            """);

    assertThat(name(callers, TestCertificates.of("CN=a", TestCertificates.dns("b.example"))))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "callers: [{name: a, certificate: {subject: CN=a}}] | roles has none",
        "callers: [{name: a, roles: [sign]}] | certificate has exactly one",
        "callers: [{name: a, certificate: {}, roles: [sign]}] | certificate has exactly one",
        "callers: [{name: a, certificate: {subject: CN=a, san-dns: a}, roles: [sign]}] | certificate has exactly one",
        "callers: [{name: a, certificate: {subject: ''}, roles: [sign]}] | certificate",
        "callers: [{name: a, certificate: {subject: portal}, roles: [sign]}] | portal",
        "callers: [{name: a, certificate: {sha256: '12'}, roles: [sign]}] | 64 hexadecimal digits",
        "callers: [{certificate: {subject: CN=a}, roles: [sign]}] | name has 1 to 63",
        "callers: [{name: loopback, certificate: {subject: CN=a}, roles: [sign]}] | name has 1 to 63",
        "callers: [{name: Portal, certificate: {subject: CN=a}, roles: [sign]}] | name has 1 to 63",
        "callers: [{name: a, certificate: {subject: CN=a}, roles: [admin]}] | admin",
        "callers: [{name: a, certificate: {subject: CN=a}, roles: [sign], key-specs: [DSA]}] | DSA",
        "callers: [{name: a, certificate: {subject: CN=a}, roles: [sign], profiles: [gold]}] | 'gold'",
        "callers: [{name: a, certificate: {subject: CN=a}, roles: [sign], identity: none}] | none",
        "callers: [{name: a, certificate: {subject: CN=a}, roles: [sign], daily-quota: -1}] | a limit is negative",
        "callers: [{name: a, certificate: {subject: CN=a}, roles: [sign], queue-share-percent: 0}] | 1 to 100",
        "callers: [{name: a, certificate: {subject: CN=a}, roles: [sign], role: [read]}] | role",
        "callers: [{name: a, certificate: {subject: CN=a}, roles: [sign]}, {name: a, certificate: {subject: CN=b}, roles: [sign]}] | name is another",
        "callers: [{name: a, certificate: {subject: CN=a}, roles: [sign]}, {name: b, certificate: {subject: cn=a}, roles: [sign]}] | certificate is another",
        "callers: [{name: a, broker-user: x, roles: [sign]}, {name: b, broker-user: x, roles: [sign]}] | broker-user is another",
        "callers: [{name: a, broker-user: ' ', roles: [sign]}] | broker-user has 1 to 128",
      })
  void namesFileAndFault(String yaml, String fault) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> parse(yaml))
        .withMessageContaining("callers.yaml")
        .withMessageContaining(fault);
  }

  @Test
  void nobodyIsACallerOfAnEmptyList() throws Exception {
    assertThat(parse("callers: []").size()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"rw-rw-r--", "rw-r--rw-"})
  void aFileThatOthersMayWriteToIsRefused(String mode, @TempDir Path directory) throws Exception {
    Path path = Files.writeString(directory.resolve("callers.yaml"), "callers: []");
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> new CallersFile(path, PROFILES::contains).read())
        .withMessageContaining("can be written to");
  }

  private static String name(Callers callers, X509Certificate certificate) {
    return callers.of(certificate).map(Caller::name).orElse("");
  }

  private static Callers parse(String yaml) {
    return new CallersFile(Path.of("callers.yaml"), PROFILES::contains).parse(yaml.getBytes(UTF_8));
  }
}
