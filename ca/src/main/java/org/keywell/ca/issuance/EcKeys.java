package org.keywell.ca.issuance;

import java.util.Map;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.ec.CustomNamedCurves;
import org.bouncycastle.crypto.params.ECNamedDomainParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;

/** Decodes EC public keys on the NIST curves P-256 and P-384. */
final class EcKeys {
  /** SEC 1, section 2.3.3: the first octet of an uncompressed point. */
  private static final int UNCOMPRESSED = 0x04;

  private static final Map<ASN1ObjectIdentifier, ECNamedDomainParameters> CURVES =
      Map.of(
          SECObjectIdentifiers.secp256r1, curve(SECObjectIdentifiers.secp256r1),
          SECObjectIdentifiers.secp384r1, curve(SECObjectIdentifiers.secp384r1));

  private EcKeys() {}

  private static ECNamedDomainParameters curve(ASN1ObjectIdentifier id) {
    return new ECNamedDomainParameters(id, CustomNamedCurves.getByOID(id));
  }

  static ECPublicKeyParameters decode(SubjectPublicKeyInfo info) throws KeyNotAllowedException {
    if (!(info.getAlgorithm().getParameters() instanceof ASN1ObjectIdentifier id)) {
      throw new KeyNotAllowedException("the EC key does not name its curve (RFC 5480, 2.1.1)");
    }
    ECNamedDomainParameters curve = CURVES.get(id);
    if (curve == null) {
      throw new KeyNotAllowedException("keys on curve " + id + " are not certified");
    }
    byte[] point = info.getPublicKeyData().getBytes();
    if (point.length == 0 || point[0] != UNCOMPRESSED) {
      throw new KeyNotAllowedException("the EC point is not in uncompressed form");
    }
    try {
      // Decoding rejects points off the curve, the constructor the point at infinity.
      return new ECPublicKeyParameters(curve.getCurve().decodePoint(point), curve);
    } catch (IllegalArgumentException e) {
      throw new KeyNotAllowedException("the EC point is not on its curve");
    }
  }

  /** RFC 5480, section 2: a named curve, an uncompressed point. */
  static SubjectPublicKeyInfo encode(ECPublicKeyParameters key) {
    ASN1ObjectIdentifier curve = ((ECNamedDomainParameters) key.getParameters()).getName();
    return new SubjectPublicKeyInfo(
        new AlgorithmIdentifier(X9ObjectIdentifiers.id_ecPublicKey, curve),
        key.getQ().getEncoded(false));
  }
}
