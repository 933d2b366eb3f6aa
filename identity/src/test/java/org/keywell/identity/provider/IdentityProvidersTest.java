package org.keywell.identity.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.AttributeRule;
import org.keywell.identity.jwt.JwtProviderSettings;
import org.keywell.settings.StartRefusedException;
import org.keywell.settings.StrictYaml;

final class IdentityProvidersTest {

  private static final String ONE =
      """
      identity:
        jwt:
          - issuer: https://login.example
            jwks: https://login.example/jwks
            audiences: [https://sign.example]
            levels-of-assurance: [http://id.elegnamnden.se/loa/1.0/loa3]
            attributes:
              - {subject: commonName, source: name}
              - {subject: serialNumber, source: personalNumber, semantics: PNOSE}
              - {subject: country, value: SE}
      """;

  @Test
  void readsTheFile(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("providers.yaml"), ONE);
    JwtProviderSettings jwt = IdentityProviders.read(file).jwt().getFirst();

    assertThat(jwt.issuer()).isEqualTo("https://login.example");
    assertThat(jwt.jwks().uri()).isEqualTo(URI.create("https://login.example/jwks"));
    assertThat(jwt.algorithms()).contains("ES256", "RS512").doesNotContain("none", "HS256");
    assertThat(jwt.maxAge()).isEqualTo(Duration.ofMinutes(5));
    assertThat(jwt.bindingClaim()).isNull();
    assertThat(jwt.attributes())
        .containsExactly(
            new AttributeRule(SubjectAttribute.COMMON_NAME, "name", null, null, false),
            new AttributeRule(
                SubjectAttribute.SERIAL_NUMBER, "personalNumber", "PNOSE", null, false),
            new AttributeRule(SubjectAttribute.COUNTRY, null, null, "SE", false));
  }

  @Test
  void withoutAFileNobodyIsTrusted() {
    assertThat(IdentityProviders.read(null)).isEqualTo(new IdentityProviders(List.of(), List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "issuer: https://login.example             | issuer: ''          | issuer",
        "jwks: https://login.example/jwks          | jwks: http://login.example/jwks | http:",
        "jwks: https://login.example/jwks          | jwks: relative.json | relative.json",
        "audiences: [https://sign.example]         | audiences: []       | audiences",
        "levels-of-assurance: [http://id.elegnamnden.se/loa/1.0/loa3] | max-age: 5m | levels-of-assurance",
        "{subject: country, value: SE}             | {subject: country, value: XX} | country",
        "{subject: country, value: SE}             | {subject: commonName, source: cn} | commonName",
        "{subject: country, value: SE}             | {subject: email, source: email} | email",
        "{subject: country, value: SE}             | {subject: country, value: SE, note: x} | note",
      })
  void namesWhatIsNotAcceptable(String good, String bad, String naming) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> bind(ONE.replace(good, bad)))
        .withMessageContaining("providers.yaml")
        .withMessageContaining(naming);
  }

  @Test
  void algorithmsAreAsymmetric() {
    for (String algorithm : List.of("none", "HS256", "RSA1_5", "es256", "EdDSA")) {
      assertThatExceptionOfType(StartRefusedException.class)
          .isThrownBy(() ->
              bind(
                  ONE.replace(
                      "attributes:", "algorithms: [%s]\n      attributes:".formatted(algorithm))))
          .withMessageContaining("algorithms");
    }
  }

  @Test
  void anIssuerIsNamedOnce() {
    String entry = ONE.substring(ONE.indexOf("    - issuer"));

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> bind(ONE + entry))
        .withMessageContaining("https://login.example twice");
  }

  private static IdentityProviders bind(String yaml) {
    return StrictYaml.bind(
        "providers.yaml", yaml.getBytes(UTF_8), "identity", IdentityProviders.class);
  }
}
