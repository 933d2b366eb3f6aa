package org.keywell.identity.saml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.settings.StartRefusedException;
import org.keywell.settings.StrictYaml;

final class SamlProviderSettingsTest {

  private static final String ONE =
      """
      identity:
        saml:
          - issuer: https://idp.example/saml
            metadata: https://md.example/metadata.xml
            metadata-certificate: /etc/keywell/federation.pem
            audiences: [https://portal.example/sp]
            recipients: [https://portal.example/acs]
            levels-of-assurance: [http://id.elegnamnden.se/loa/1.0/loa3]
            attributes:
              - {subject: serialNumber, source: "urn:oid:1.2.752.29.4.13", semantics: PNOSE}
      """;

  record File(List<SamlProviderSettings> saml) {}

  @Test
  void readsAProvider() {
    SamlProviderSettings saml = bind(ONE);

    assertThat(saml.issuer()).isEqualTo("https://idp.example/saml");
    assertThat(saml.metadata()).hasToString("https://md.example/metadata.xml");
    assertThat(saml.metadataCertificate()).isEqualTo(Path.of("/etc/keywell/federation.pem"));
    assertThat(saml.audiences()).containsExactly("https://portal.example/sp");
    assertThat(saml.recipients()).containsExactly("https://portal.example/acs");
    assertThat(saml.maxAge()).isEqualTo(Duration.ofMinutes(5));
    assertThat(saml.clockSkew()).isEqualTo(Duration.ofMinutes(3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "issuer: https://idp.example/saml            | issuer: ' '         | issuer",
        "metadata: https://md.example/metadata.xml   | metadata: http://md.example/m.xml | http:",
        "metadata: https://md.example/metadata.xml   | max-age: 5m         | metadata",
        "metadata-certificate: /etc/keywell/federation.pem | max-age: 5m   | metadata-certificate",
        "audiences: [https://portal.example/sp]      | audiences: []       | audiences",
        "recipients: [https://portal.example/acs]    | recipients: ['']    | recipients",
        "recipients: [https://portal.example/acs]    | recipient: x        | recipient",
        "levels-of-assurance: [http://id.elegnamnden.se/loa/1.0/loa3] | max-age: 5m | levels-of-assurance",
        "attributes:                                 | clock-skew: 6m\\n      attributes: | clock-skew",
        "attributes:                                 | max-age: 5s\\n      attributes:    | max-age",
      })
  void namesWhatIsNotAcceptable(String good, String bad, String naming) {
    String yaml = ONE.replace(good, bad.replace("\\n", "\n"));
    assertThat(yaml).isNotEqualTo(ONE);

    assertThatThrownBy(() -> bind(yaml))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContaining("providers.yaml")
        .hasMessageContaining(naming);
  }

  private static SamlProviderSettings bind(String yaml) {
    return StrictYaml.bind("providers.yaml", yaml.getBytes(UTF_8), "identity", File.class)
        .saml()
        .getFirst();
  }
}
