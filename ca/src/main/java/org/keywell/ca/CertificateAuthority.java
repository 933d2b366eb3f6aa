package org.keywell.ca;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

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

  /**
   * Whether the chain is valid now, and for as long as a certificate of whatever profile has to
   * live at least. While it is not, {@link #certify} refuses as {@code CA_NOT_VALID}. Asks no key;
   * allocates nothing.
   */
  boolean isValid();

  /**
   * Has the CA's key sign once and verifies that. Blocks as {@link #certify} does.
   *
   * @return what a request would be refused for now; empty if it would get its certificate
   */
  Optional<Certification.Refused> prove();

  /** The issuing CA's certificate first, the self-signed root last; never empty, immutable. */
  List<X509Certificate> chain();
}
