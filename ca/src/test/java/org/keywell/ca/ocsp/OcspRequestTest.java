package org.keywell.ca.ocsp;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERTaggedObject;
import org.bouncycastle.asn1.ocsp.CertID;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.ocsp.Request;
import org.bouncycastle.asn1.oiw.OIWObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers may send. */
final class OcspRequestTest {

  private static CertID certificate() {
    return new CertID(
        new AlgorithmIdentifier(OIWObjectIdentifiers.idSHA1, DERNull.INSTANCE),
        new DEROctetString(new byte[20]),
        new DEROctetString(new byte[20]),
        new ASN1Integer(BigInteger.valueOf(5)));
  }

  private static byte[] request(int certificates, List<Extension> extensions) throws Exception {
    ASN1EncodableVector all = new ASN1EncodableVector();
    for (int i = 0; i < certificates; i++) {
      all.add(new Request(certificate(), null));
    }
    return request(new DERSequence(all), extensions);
  }

  private static byte[] request(ASN1Encodable list, List<Extension> extensions) throws Exception {
    ASN1EncodableVector content = new ASN1EncodableVector();
    content.add(list);
    if (!extensions.isEmpty()) {
      content.add(
          new DERTaggedObject(true, 2, new Extensions(extensions.toArray(Extension[]::new))));
    }
    return new DERSequence(new DERSequence(content)).getEncoded("DER");
  }

  private static Extension nonce(boolean critical, byte[] value) {
    return new Extension(OCSPObjectIdentifiers.id_pkix_ocsp_nonce, critical, value);
  }

  private static Extension nonce(int octets) throws Exception {
    return nonce(false, new DEROctetString(new byte[octets]).getEncoded());
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "16, true", "32, true", "128, true", "129, false"})
  void noncesHaveALength(int octets, boolean accepted) throws Exception {
    assertThat(OcspRequest.parse(request(1, List.of(nonce(octets)))).isPresent())
        .isEqualTo(accepted);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "10, true", "11, false"})
  void certificatesHaveANumber(int certificates, boolean accepted) throws Exception {
    assertThat(OcspRequest.parse(request(certificates, List.of())).isPresent()).isEqualTo(accepted);
  }

  @Test
  void extensionsAreIgnoredUnlessTheyAreCritical() throws Exception {
    var id = new ASN1ObjectIdentifier("1.3.6.1.5.5.7.48.1.99");
    assertThat(OcspRequest.parse(request(1, List.of(new Extension(id, false, new byte[2])))))
        .isPresent();
    assertThat(OcspRequest.parse(request(1, List.of(new Extension(id, true, new byte[2])))))
        .isEmpty();
    Extensions critical = new Extensions(new Extension(id, true, new byte[2]));
    assertThat(
            OcspRequest.parse(
                request(new DERSequence(new Request(certificate(), critical)), List.of())))
        .isEmpty();
  }

  /** A parser that descends by recursion would need as much stack as the sender likes. */
  @ParameterizedTest
  @ValueSource(ints = {100, 1_000, 1_300})
  void nestedContentIsMalformed(int depth) throws Exception {
    byte[] nested = nested(depth);
    assertThat(OcspRequest.parse(nested)).isEmpty();
    assertThat(OcspRequest.parse(request(1, List.of(nonce(false, nested))))).isEmpty();
    byte[] indefinite = new byte[4_000];
    for (int i = 0; i < indefinite.length; i += 2) {
      indefinite[i] = 0x30;
      indefinite[i + 1] = (byte) 0x80;
    }
    assertThat(OcspRequest.parse(indefinite)).isEmpty();
  }

  private static byte[] nested(int depth) {
    byte[] value = {0x05, 0x00};
    for (int i = 0; i < depth; i++) {
      byte[] head =
          value.length < 128
              ? new byte[] {0x30, (byte) value.length}
              : new byte[] {0x30, (byte) 0x82, (byte) (value.length >> 8), (byte) value.length};
      byte[] outer = Arrays.copyOf(head, head.length + value.length);
      System.arraycopy(value, 0, outer, head.length, value.length);
      value = outer;
    }
    return value;
  }

  @Test
  void anythingElseIsMalformedAndNeverThrows() throws Exception {
    byte[] sound = request(2, List.of(nonce(32)));
    for (int length = 0; length < sound.length; length++) {
      assertThat(OcspRequest.parse(Arrays.copyOf(sound, length))).isEmpty();
    }
    assertThat(OcspRequest.parse(Arrays.copyOf(sound, sound.length + 1))).isEmpty();
    assertThat(OcspRequest.parse(new byte[OcspRequest.MAX_BYTES + 1])).isEmpty();
    Random random = new Random(20_261_127);
    for (int i = 0; i < 20_000; i++) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      assertThat(OcspRequest.parse(noise)).isEmpty();
      byte[] changed = sound.clone();
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      // Whatever it means, it ends.
      OcspRequest.parse(changed)
          .ifPresent(request -> assertThat(request.certificates()).isNotEmpty());
    }
  }
}
