package org.keywell.ca.standin;

import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.keywell.ca.issuance.KeyIdentifiers;

/** Identifiers of keys, as the CA makes them. */
final class KeyIds {

  private KeyIds() {}

  static byte[] of(KeyPair key) {
    return of(key.getPublic());
  }

  static byte[] of(X509Certificate certificate) {
    return of(certificate.getPublicKey());
  }

  private static byte[] of(PublicKey key) {
    return KeyIdentifiers.of(SubjectPublicKeyInfo.getInstance(key.getEncoded()));
  }
}
