package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;

/** ECDSA signatures, elliptic-curve public keys, and what return values mean. */
final class EncodingsTest {
  @ParameterizedTest
  @CsvSource({
    "0102,       3006020101020102",
    "80ff,       300802020080020200ff",
    "00010080,   3007020101020200" + "80",
    "7fff8000,   300902027fff0203008000",
    "00000000,   3006020100020100",
    "00ff007f,   3007020200ff02017f"
  })
  void rawSignaturesBecomeDer(String raw, String der) {
    byte[] encoded = EcdsaSignature.toDer(HexFormat.of().parseHex(raw));

    assertThat(HexFormat.of().formatHex(encoded)).isEqualTo(der);
  }

  @ParameterizedTest
  @CsvSource({"EC_P256, secp256r1", "EC_P384, secp384r1"})
  void pointsAreTakenBareAndInAnOctetString(KeySpec spec, String jdkName) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(jdkName));
    byte[] expected = generator.generateKeyPair().getPublic().getEncoded();
    int pointBytes = 1 + 2 * NamedCurve.of(spec).fieldBytes();
    byte[] bare = Arrays.copyOfRange(expected, expected.length - pointBytes, expected.length);
    byte[] wrapped =
        ByteBuffer.allocate(2 + pointBytes).put((byte) 4).put((byte) pointBytes).put(bare).array();

    assertThat(NamedCurve.of(spec).subjectPublicKeyInfo(bare)).isEqualTo(expected);
    assertThat(NamedCurve.of(spec).subjectPublicKeyInfo(wrapped)).isEqualTo(expected);
  }

  @Test
  void otherPointsAreRefused() {
    byte[] compressed = new byte[33];
    compressed[0] = 2;
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> NamedCurve.P256.subjectPublicKeyInfo(compressed));
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> NamedCurve.P256.subjectPublicKeyInfo(new byte[0]));
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> NamedCurve.P384.subjectPublicKeyInfo(new byte[97]));
  }

  @Test
  void returnValuesAreNamed() {
    HsmException known = ReturnValue.exception("C_Sign", 0x82);
    HsmException vendors = ReturnValue.exception("C_Sign", 0x80000001L);

    assertThat(known).hasMessage("C_Sign returned CKR_OBJECT_HANDLE_INVALID (0x82)");
    assertThat(known.reason()).isEqualTo(Reason.KEY_GONE);
    assertThat(vendors).hasMessageContaining("0x80000001");
    assertThat(vendors.reason()).isEqualTo(Reason.FAILED);
    assertThat(vendors.returnValue()).isEqualTo(0x80000001L);
  }

  @ParameterizedTest
  @CsvSource({
    "SOFTHSM,  0x05,  WRAPPED_KEY_INVALID",
    "KRYOPTIC, 0x30,  WRAPPED_KEY_INVALID",
    "NSS,      0x110, WRAPPED_KEY_INVALID",
    "STANDARD, 0x110, WRAPPED_KEY_INVALID",
    "STANDARD, 0x30,  UNAVAILABLE",
    "SOFTHSM,  0x30,  UNAVAILABLE",
    "KRYOPTIC, 0xF0,  SESSION_LOST"
  })
  void whatAFailedUnwrapMeansDependsOnTheBrand(Brand brand, String code, Reason reason) {
    long returned = Long.decode(code);

    assertThat(brand.unwrapException(returned).reason()).isEqualTo(reason);
    assertThat(brand.unwrapException(returned).returnValue()).isEqualTo(returned);
  }
}
