package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;

/** One wrapping key in a token of SoftHSM and one of NSS, begun in either. */
@Tag("softhsm")
@Tag("nss")
final class EnrolmentAcrossBrandsTest {
  private final SoftHsmToken softHsm = SoftHsmToken.createWithoutWrappingKey();

  @Test
  void nssReceivesTheKeyOfSoftHsm() {
    NssToken.open(NssToken.config()).close();
    try (Pin here = softHsm.pin();
        Pin there = NssToken.pin()) {
      assertShared("of-softhsm", softHsm.config(), here, NssToken.config(), there);
    }
  }

  @Test
  void softHsmReceivesTheKeyOfNss() {
    NssToken.open(NssToken.config()).close();
    try (Pin here = NssToken.pin();
        Pin there = softHsm.pin()) {
      assertShared("of-nss", NssToken.config(), here, softHsm.config(), there);
    }
  }

  private static void assertShared(
      String label, Pkcs11Config origin, Pin originPin, Pkcs11Config recipient, Pin recipientPin) {
    TransportRequest request = WrappingKeyRecipient.request(recipient, recipientPin);
    List<EnrolledKey> answers = new ArrayList<>();
    WrappingKeyOrigin.enrol(
        origin.withWrappingKeyLabel(label),
        originPin,
        List.of(request.publicKey()),
        answers::addAll);
    WrappingKeyRecipient.accept(recipient, recipientPin, answers.getFirst());

    try (Pkcs11Hsm from = Pkcs11Hsm.open(origin.withWrappingKeyLabel(label), originPin::copy);
        Pkcs11Hsm to = Pkcs11Hsm.open(recipient.withWrappingKeyLabel(label), recipientPin::copy)) {
      LiveKeyPair pair = from.generateExtractable(KeySpec.RSA_2048);
      WrappedKey wrapped = from.wrap(pair);
      assertThat(from.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
      assertThat(sign(to, wrapped)).isEqualTo(sign(from, wrapped));
      assertThat(KeyAttributes.ofWrappingKey(to))
          .containsEntry("CKA_SENSITIVE", true)
          .containsEntry("CKA_EXTRACTABLE", false)
          .containsEntry("CKA_ENCRYPT", false)
          .containsEntry("CKA_DECRYPT", false);
    }
  }

  private static byte[] sign(Pkcs11Hsm hsm, WrappedKey wrapped) {
    KeyHandle key = hsm.unwrap(wrapped);
    try {
      return hsm.sign(
          key, SignatureScheme.RSASSA_PKCS1_V1_5, DigestAlgorithm.SHA_256, new byte[32]);
    } finally {
      assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
    }
  }
}
