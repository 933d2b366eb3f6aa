package org.keywell.ca.issuance;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.MLDSAPublicKeyParameters;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.keywell.ca.ProofScheme;

/** A public key that may be certified, decoded once for both verification and certificate. */
sealed interface SubjectKey {

  /** Returns the key as it goes into the certificate, encoded from the decoded key only. */
  SubjectPublicKeyInfo info();

  record Rsa(SubjectPublicKeyInfo info, RSAKeyParameters key) implements SubjectKey {}

  record Ec(SubjectPublicKeyInfo info, ECPublicKeyParameters key) implements SubjectKey {}

  record MlDsa(SubjectPublicKeyInfo info, ProofScheme scheme, MLDSAPublicKeyParameters key)
      implements SubjectKey {}

  /** Decodes a {@code SubjectPublicKeyInfo} and rejects keys that are not certified. */
  static SubjectKey decode(byte[] der) throws KeyNotAllowedException {
    try {
      SubjectKey key = decode(SubjectPublicKeyInfo.getInstance(der));
      // INVARIANT: one key, one encoding. The database and others identify keys by their octets, so
      // a second encoding must not get the same key a second certificate.
      if (!Arrays.equals(key.info().getEncoded("DER"), der)) {
        throw new KeyNotAllowedException("the public key is not in DER");
      }
      return key;
    } catch (IOException | RuntimeException e) {
      // Bouncy Castle reports malformed input with various exceptions.
      throw new KeyNotAllowedException("the public key is not a SubjectPublicKeyInfo in DER");
    }
  }

  private static SubjectKey decode(SubjectPublicKeyInfo info)
      throws IOException, KeyNotAllowedException {
    ASN1ObjectIdentifier algorithm = info.getAlgorithm().getAlgorithm();
    if (algorithm.equals(PKCSObjectIdentifiers.rsaEncryption)) {
      RSAKeyParameters key = RsaKeys.decode(info);
      return new Rsa(RsaKeys.encode(key), key);
    }
    if (algorithm.equals(X9ObjectIdentifiers.id_ecPublicKey)) {
      ECPublicKeyParameters key = EcKeys.decode(info);
      return new Ec(EcKeys.encode(key), key);
    }
    Optional<ProofScheme> mlDsa = MlDsaKeys.scheme(algorithm);
    if (mlDsa.isPresent()) {
      MLDSAPublicKeyParameters key = MlDsaKeys.decode(mlDsa.get(), info);
      return new MlDsa(MlDsaKeys.encode(mlDsa.get(), key), mlDsa.get(), key);
    }
    throw new KeyNotAllowedException("keys of algorithm " + algorithm + " are not certified");
  }
}
