package org.keywell.ca.token;

import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;

/** A private key in the token, with the certificates that the token holds for it. */
record StoredKey(PrivateKey privateKey, List<X509Certificate> chain) {

  PublicKey publicKey() {
    return chain.getFirst().getPublicKey();
  }

  /** Whether it has only the placeholder certificate and awaits the real one. */
  boolean awaitsChain() {
    return chain.size() == 1 && chain.getFirst().getBasicConstraints() < 0;
  }
}
