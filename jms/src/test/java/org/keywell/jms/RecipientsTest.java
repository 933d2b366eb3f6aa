package org.keywell.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.settings.JmsProtection.Recipient;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.testkit.OpenSsl;

final class RecipientsTest {

  /** Within the validity of certificates that are made meanwhile. */
  private final Instant now = Instant.now().plus(Duration.ofMinutes(10));

  @TempDir Path directory;
  private Recipients recipients;
  private X509Certificate box;

  @BeforeEach
  void listBox() throws Exception {
    box = certificate("box", "rsa:2048", "keyEncipherment");
    recipients = new Recipients(List.of(recipient("box")));
  }

  private X509Certificate certificate(String name, String key, String usage) throws Exception {
    new OpenSsl(directory)
        .run(
            ("req -x509 -newkey %s -nodes -days 2 -subj /CN=%2$s -keyout %2$s.key -out %2$s.pem"
                    + " -addext keyUsage=critical,%3$s")
                .formatted(key, name, usage)
                .split(" "));
    try (InputStream in = Files.newInputStream(directory.resolve(name + ".pem"))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private Recipient recipient(String name) {
    return new Recipient("portal", directory.resolve(name + ".pem"));
  }

  @Test
  void aSignerThatCanDecryptIsTheRecipient() throws Exception {
    X509Certificate both = certificate("both", "rsa:2048", "digitalSignature,keyEncipherment");

    assertThat(recipients.of(Samples.PORTAL, List.of(both), now)).contains(both);
  }

  /** Its key may be one that only signs. */
  @Test
  void aSignersCertificateForSignaturesAloneIsNotUsed() throws Exception {
    X509Certificate signer = certificate("signer", "rsa:2048", "digitalSignature");

    assertThat(recipients.of(Samples.PORTAL, List.of(signer, box), now)).contains(box);
    assertThat(recipients.of(Samples.caller("other", CallerLimits.NONE), List.of(signer, box), now))
        .as("only the first of a chain is the signer's")
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"-PT1H", "P3D"})
  void outsideOfItsValidityNothingIsEncryptedToIt(Duration shift) {
    assertThat(recipients.of(Samples.PORTAL, List.of(), now)).contains(box);
    assertThat(recipients.of(Samples.PORTAL, List.of(), now.plus(shift))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "curve, ec -pkeyopt ec_paramgen_curve:P-256, keyAgreement",
    "weak, rsa:1024, keyEncipherment",
    "signing, rsa:2048, digitalSignature"
  })
  void aListedCertificateThatCannotBeUsedStopsTheStart(String name, String key, String usage)
      throws Exception {
    X509Certificate _ = certificate(name, key, usage);
    List<Recipient> listed = List.of(recipient(name));

    assertThatThrownBy(() -> new Recipients(listed))
        .isInstanceOf(StartRefusedException.class)
        .hasMessageContainingAll("keywell.jms.protection-file", "portal", name + ".pem");
  }

  @Test
  void aFileWithoutACertificateStopsTheStart() throws Exception {
    Files.writeString(directory.resolve("empty.pem"), "");
    for (String name : List.of("empty", "missing")) {
      List<Recipient> listed = List.of(recipient(name));

      assertThatThrownBy(() -> new Recipients(listed))
          .isInstanceOf(StartRefusedException.class)
          .hasMessageContainingAll("portal", name + ".pem", "no certificate");
    }
  }
}
