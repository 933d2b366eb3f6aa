package org.keywell.ca.issuance;

import java.io.IOException;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.RSAKeyParameters;

/**
 * A public key that may be certified, decoded once for both its verification and its certificate.
 */
sealed interface SubjectKey {

  /** As it goes into the certificate. */
  SubjectPublicKeyInfo info();

  record Rsa(SubjectPublicKeyInfo info, RSAKeyParameters key) implements SubjectKey {}

  record Ec(SubjectPublicKeyInfo info, ECPublicKeyParameters key) implements SubjectKey {}

  /** Decodes a {@code SubjectPublicKeyInfo} and holds it to what is certified. */
  static SubjectKey decode(byte[] der) throws KeyNotAllowedException {
    try {
      SubjectPublicKeyInfo info = SubjectPublicKeyInfo.getInstance(der);
      // A BER variant would be re-encoded, and the certificate would hold other octets than the
      // ones that its requester knows the key by.
      if (!Arrays.equals(info.getEncoded("DER"), der)) {
        throw new KeyNotAllowedException("the public key is not in DER");
      }
      ASN1ObjectIdentifier algorithm = info.getAlgorithm().getAlgorithm();
      if (algorithm.equals(PKCSObjectIdentifiers.rsaEncryption)) {
        return new Rsa(info, RsaKeys.decode(info));
      }
      if (algorithm.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
        return new Ec(info, EcKeys.decode(info));
      }
      throw new KeyNotAllowedException("keys of algorithm " + algorithm + " are not certified");
    } catch (IOException | RuntimeException e) {
      // Bouncy Castle reports malformed input by whichever exception it runs into.
      throw new KeyNotAllowedException("the public key is not a SubjectPublicKeyInfo in DER");
    }
  }
}
