package org.keywell.ca;

import java.security.cert.X509Certificate;
import java.util.List;

/** Certifies public keys whose private key has proven itself. Thread-safe. */
public interface CertificateAuthority {

  /**
   * Verifies the proof of possession and, only if it holds, issues a certificate for the key.
   *
   * <p>Blocks while the CA's key signs, and at most for the implementation's bounded wait for its
   * turn. Never throws for what a request contains or for a CA that is down: that is a {@link
   * Certification.Refused}.
   */
  Certification certify(CertificationRequest request);

  /** The issuing CA's certificate first, the self-signed root last; never empty, immutable. */
  List<X509Certificate> chain();
}
