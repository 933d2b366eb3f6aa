package org.keywell.ca.issuance;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.crypto.params.MLDSAParameters;
import org.bouncycastle.crypto.params.MLDSAPublicKeyParameters;
import org.bouncycastle.crypto.signers.MLDSASigner;
import org.keywell.ca.ProofScheme;

/**
 * ML-DSA public keys and signatures as certificates have them (RFC 9881): one identifier for key
 * and signature, without parameters.
 */
final class MlDsaKeys {

  private record ParameterSet(ASN1ObjectIdentifier identifier, MLDSAParameters parameters) {}

  private static final Map<ProofScheme, ParameterSet> SETS =
      Map.of(
          ProofScheme.ML_DSA_44,
              new ParameterSet(NISTObjectIdentifiers.id_ml_dsa_44, MLDSAParameters.ml_dsa_44),
          ProofScheme.ML_DSA_65,
              new ParameterSet(NISTObjectIdentifiers.id_ml_dsa_65, MLDSAParameters.ml_dsa_65),
          ProofScheme.ML_DSA_87,
              new ParameterSet(NISTObjectIdentifiers.id_ml_dsa_87, MLDSAParameters.ml_dsa_87));

  private MlDsaKeys() {}

  /** Returns what keys of an algorithm sign by; empty if it is not ML-DSA. */
  static Optional<ProofScheme> scheme(ASN1ObjectIdentifier algorithm) {
    return SETS.entrySet().stream()
        .filter(set -> set.getValue().identifier().equals(algorithm))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** RFC 9881, section 2. */
  static AlgorithmIdentifier identifier(ProofScheme scheme) {
    return new AlgorithmIdentifier(set(scheme).identifier());
  }

  static MLDSAPublicKeyParameters decode(ProofScheme scheme, SubjectPublicKeyInfo info)
      throws KeyNotAllowedException {
    if (info.getAlgorithm().getParameters() != null) {
      throw new KeyNotAllowedException("an ML-DSA key has parameters (RFC 9881, section 2)");
    }
    try {
      return new MLDSAPublicKeyParameters(
          set(scheme).parameters(), info.getPublicKeyData().getOctets());
    } catch (IllegalArgumentException e) {
      throw new KeyNotAllowedException("the ML-DSA key does not have the length of " + scheme);
    }
  }

  /** RFC 9881, section 4: the key's octets, in no other encoding. */
  static SubjectPublicKeyInfo encode(ProofScheme scheme, MLDSAPublicKeyParameters key) {
    return new SubjectPublicKeyInfo(identifier(scheme), key.getEncoded());
  }

  /** Whether the signature is over this message, with an empty context (RFC 9881, section 3). */
  static boolean holds(MLDSAPublicKeyParameters key, byte[] message, byte[] signature) {
    MLDSASigner signer = new MLDSASigner();
    signer.init(false, key);
    signer.update(message, 0, message.length);
    return signer.verifySignature(signature);
  }

  private static ParameterSet set(ProofScheme scheme) {
    return Objects.requireNonNull(SETS.get(scheme), scheme.label());
  }
}
