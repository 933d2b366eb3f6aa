package org.keywell.protection;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.spec.MGF1ParameterSpec;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;

/** The hash functions that are accepted. */
enum Digest {
  SHA_256("SHA-256", NISTObjectIdentifiers.id_sha256.getId(), 32),
  SHA_384("SHA-384", NISTObjectIdentifiers.id_sha384.getId(), 48),
  SHA_512("SHA-512", NISTObjectIdentifiers.id_sha512.getId(), 64);

  private final String label;
  private final String oid;
  private final int length;

  Digest(String label, String oid, int length) {
    this.label = label;
    this.oid = oid;
    this.length = length;
  }

  String label() {
    return label;
  }

  int length() {
    return length;
  }

  MGF1ParameterSpec mgf1() {
    return new MGF1ParameterSpec(label);
  }

  /** RFC 5754, section 2: writers omit the parameters, readers accept NULL as well. */
  AlgorithmIdentifier identifier(boolean withNull) {
    ASN1ObjectIdentifier algorithm = new ASN1ObjectIdentifier(oid);
    return withNull
        ? new AlgorithmIdentifier(algorithm, DERNull.INSTANCE)
        : new AlgorithmIdentifier(algorithm);
  }

  byte[] of(byte[] content) {
    try {
      return MessageDigest.getInstance(label).digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + label, e);
    }
  }
}
