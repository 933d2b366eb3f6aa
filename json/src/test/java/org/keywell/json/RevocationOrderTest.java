package org.keywell.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.math.BigInteger;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.ca.token.SoftwareCa;
import org.keywell.signing.request.RefusedException;

final class RevocationOrderTest {

  private static final String ID = "0b2ac6b4-4b0c-4d31-9f4e-5b0e3f6d2a11";

  private static RevocationOrder order(
      @Nullable String id, @Nullable String serial, @Nullable String certificate) {
    return RevocationOrder.of(new RevocationBody(id, serial, null, certificate, "keyCompromise"));
  }

  private static RevocationOrder ofCommitment(@Nullable String serial, String commitment) {
    return RevocationOrder.of(new RevocationBody(null, serial, commitment, null, "keyCompromise"));
  }

  @Test
  void aCommitmentOfTheLogNamesTheCertificate() {
    assertThat(ofCommitment(null, "0aF".repeat(21) + "f"))
        .isEqualTo(
            new RevocationOrder.OfCommitment(
                "0af".repeat(21) + "f", RevocationReason.KEY_COMPROMISE));
    for (String other : List.of("", "0af".repeat(21), "0af".repeat(22), "0ag".repeat(21) + "f")) {
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(() -> ofCommitment(null, other))
          .satisfies(e -> assertThat(e.refusal().detail()).startsWith("signerCommitment is not"));
    }
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> ofCommitment("1", "0af".repeat(21) + "f"))
        .satisfies(e -> assertThat(e.refusal().detail()).startsWith("send one of"));
  }

  @Test
  void oneOfThreeNamesTheCertificate() throws Exception {
    var certificate = SoftwareCa.authority().chain().getFirst();
    RevocationReason reason = RevocationReason.KEY_COMPROMISE;

    assertThat(order(ID, null, null))
        .isEqualTo(new RevocationOrder.OfRequest(UUID.fromString(ID), reason));
    assertThat(order(null, "0aFf", null))
        .isEqualTo(new RevocationOrder.OfSerial(BigInteger.valueOf(0xaff), reason));
    assertThat(order(null, null, Base64.getEncoder().encodeToString(certificate.getEncoded())))
        .isEqualTo(new RevocationOrder.OfCertificate(certificate, reason));
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, -, superseded, send one of",
        ID + ", 1, -, superseded, send one of",
        "-, 1, AAAA, superseded, send one of",
        ID + ", -, -, -, reason is missing",
        ID + ", -, -, KeyCompromise, reason is none of unspecified",
        ID + ", -, -, certificateHold, reason is none of unspecified",
        "x, -, -, superseded, requestId is not a UUID",
        "-, 0x1, -, superseded, serial is not",
        "-, '', -, superseded, serial is not",
        "-, 12345678901234567890123456789012345678901, -, superseded, serial is not",
        "-, -, AAAA, superseded, certificate is not",
        "-, -, '?', superseded, certificate is not",
      })
  void aWrongFieldIsNamed(
      @Nullable String id,
      @Nullable String serial,
      @Nullable String certificate,
      @Nullable String reason,
      String detail) {
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(
            () -> RevocationOrder.of(new RevocationBody(id, serial, null, certificate, reason)))
        .satisfies(e -> assertThat(e.refusal().detail()).startsWith(detail));
  }

  @Test
  void aLongTextIsNotDecoded() {
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(() -> order(null, null, "A".repeat(RevocationBody.MOST_CHARACTERS + 1)))
        .satisfies(e -> assertThat(e.refusal().detail()).contains("16384"));
  }
}
