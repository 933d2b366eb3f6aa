package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.junit.jupiter.api.Test;
import org.keywell.ca.token.SoftwareCa;

/**
 * Random text is either refused as the typed exception says, or comes back from the certificate.
 */
class SubjectPropertyTest {
  private static final int SAMPLES = 3000;
  private static final String ODD =
      "#\\,+=\"<>;'/ \t\u00A0\u0000\u007F\u200F\u202E\uFEFF\uFFFF\u0131";

  private static final List<SubjectAttribute> TEXTS =
      List.copyOf(EnumSet.complementOf(EnumSet.of(SubjectAttribute.COUNTRY)));

  private final Random random = new Random(20260101);
  private final SubjectKeyPair pair = SubjectKeyPair.ec("secp256r1");
  private final ProofOfPossession proof = pair.prove();
  private final CertificateAuthority authority = SoftwareCa.authority();

  @Test
  void acceptedTextRoundTrips() {
    int accepted = 0;
    for (int i = 0; i < SAMPLES; i++) {
      String text = text();
      SubjectAttribute attribute = TEXTS.get(random.nextInt(TEXTS.size()));
      Optional<Subject> subject = subject(attribute, text);
      if (subject.isPresent()) {
        accepted++;
        assertThat(readBack(attribute, subject.get())).isEqualTo(text);
      }
    }
    assertThat(accepted).isBetween(SAMPLES / 20, SAMPLES - SAMPLES / 20);
  }

  private static Optional<Subject> subject(SubjectAttribute attribute, String text) {
    try {
      return Optional.of(SubjectTest.with(attribute, text));
    } catch (InvalidSubjectException e) {
      assertThat(e.attribute()).isEqualTo(attribute);
      return Optional.empty();
    }
  }

  private String readBack(SubjectAttribute attribute, Subject subject) {
    var certificate =
        Certificates.of(
            authority.certify(
                new CertificationRequest(pair.encoded(), subject, proof, "standard", null)));
    X500Name name = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
    var value = name.getRDNs(type(attribute))[0].getFirst().getValue();
    return ((ASN1String) value.toASN1Primitive()).getString();
  }

  private static ASN1ObjectIdentifier type(SubjectAttribute attribute) {
    return switch (attribute) {
      case COMMON_NAME -> BCStyle.CN;
      case GIVEN_NAME -> BCStyle.GIVENNAME;
      case SURNAME -> BCStyle.SURNAME;
      case SERIAL_NUMBER -> BCStyle.SERIALNUMBER;
      case ORGANIZATION -> BCStyle.O;
      case ORGANIZATIONAL_UNIT -> BCStyle.OU;
      case COUNTRY -> BCStyle.C;
    };
  }

  private String text() {
    int length = random.nextInt(70);
    StringBuilder text = new StringBuilder(random.nextInt(10) == 0 ? "PNOSE-" : "");
    int kind = random.nextInt(4);
    for (int i = 0; i < length; i++) {
      switch (kind) {
        case 0 -> text.append((char) random.nextInt(0x10000));
        case 1 -> text.append(ODD.charAt(random.nextInt(12)));
        case 2 -> text.append(ODD.charAt(random.nextInt(ODD.length())));
        default -> text.appendCodePoint(0x21 + random.nextInt(0x24F));
      }
    }
    return text.toString();
  }
}
