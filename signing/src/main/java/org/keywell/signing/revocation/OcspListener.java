package org.keywell.signing.revocation;

import org.keywell.ca.ocsp.OcspAnswer;

/** Is told of each answer to an OCSP request. Thread-safe. */
@FunctionalInterface
public interface OcspListener {

  void answered(OcspAnswer answer);
}
