package org.keywell.service.sign;

import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProofOfPossession;
import org.keywell.service.request.SignRequest;

/** Turns a signed request into what the CA asks for; the two modules do not know each other. */
final class CertificationRequests {

  private CertificationRequests() {}

  /** The signature over the document's digest is the proof of possession. */
  static CertificationRequest of(SignRequest request, byte[] publicKey, byte[] signature) {
    return new CertificationRequest(
        publicKey,
        request.subject(),
        new ProofOfPossession(scheme(request), digest(request), request.digest(), signature));
  }
}
