package org.keywell.acceptance.chaos;

import java.util.ArrayList;
import java.util.List;
import org.keywell.keypool.hsm.pkcs11.EnrolledKey;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.hsm.pkcs11.TransportRequest;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyOrigin;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyRecipient;

/** One wrapping key in two tokens. */
final class SharedWrappingKey {

  static final String LABEL = "keywell-shared";

  private SharedWrappingKey() {}

  /** Makes it in the one, and carries it to the other. */
  static void enrol(SoftHsmToken origin, SoftHsmToken recipient) {
    try (Pin ofOrigin = origin.pin();
        Pin ofRecipient = recipient.pin()) {
      TransportRequest request = WrappingKeyRecipient.request(recipient.config(), ofRecipient);
      List<EnrolledKey> answers = new ArrayList<>();
      WrappingKeyOrigin.enrol(
          origin.config().withWrappingKeyLabel(LABEL),
          ofOrigin,
          List.of(request.publicKey()),
          answers::addAll);
      WrappingKeyRecipient.accept(recipient.config(), ofRecipient, answers.getFirst());
    }
  }
}
