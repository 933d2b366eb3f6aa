package org.keywell.ca;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;

/** Certifies public keys after proof of possession of the private key. Thread-safe. */
public interface CertificateAuthority {

  /**
   * Verifies the proof of possession and issues a certificate for the key only if the proof holds.
   *
   * <p>Blocks while the CA's key signs, and at most for the implementation's bounded wait for its
   * turn. Never throws because of a request's content or because the CA is down; returns {@link
   * Certification.Refused} instead.
   */
  Certification certify(CertificationRequest request);

  /**
   * Whether the chain is valid now and stays so for the longest minimum validity of any profile.
   * While it is not, {@link #certify} refuses with {@code CA_NOT_VALID}. Uses no key and allocates
   * nothing.
   */
  boolean isValid();

  /**
   * Makes one signature with the CA's key and verifies it. Blocks as {@link #certify} does.
   *
   * @return the refusal that a request would get now; empty if it would get its certificate
   */
  Optional<Certification.Refused> prove();

  /**
   * Signs a list of certificates that one of this CA's keys has issued. Blocks as {@link #certify}
   * does.
   *
   * <p>Unlike certificates, lists are signed when the chain is not valid any more, too: it is for
   * validators to judge that.
   */
  ListAnswer sign(RevocationList list);

  /** Returns the chain: issuing CA first, self-signed root last; never empty, immutable. */
  List<X509Certificate> chain();

  /**
   * Returns the chain of each key whose lists this CA signs, the newest first: its own, that of a
   * key which certifies next, and those of keys that have certified before.
   */
  default List<List<X509Certificate>> chains() {
    return List.of(chain());
  }

  /** Returns this CA with the keys that its token has now. Blocks while the token is read. */
  default CertificateAuthority refreshed() {
    return this;
  }
}
