package org.keywell.ca.issuance;

import java.io.IOException;
import java.math.BigInteger;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.RSAPublicKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.crypto.params.RSAKeyParameters;

/** Decodes RSA public keys and rejects those that this CA does not certify. */
final class RsaKeys {
  private static final int MIN_BITS = 2048;
  private static final int MAX_BITS = 4096;
  private static final BigInteger EXPONENT = BigInteger.valueOf(65537);

  private RsaKeys() {}

  static RSAKeyParameters decode(SubjectPublicKeyInfo info)
      throws IOException, KeyNotAllowedException {
    ASN1Encodable parameters = info.getAlgorithm().getParameters();
    if (!DERNull.INSTANCE.equals(parameters)) {
      throw new KeyNotAllowedException("rsaEncryption without NULL parameters (RFC 3279, 2.3.1)");
    }
    ASN1Sequence key = ASN1Sequence.getInstance(info.parsePublicKey());
    if (key.size() != 2) {
      throw new KeyNotAllowedException("the public key is not an RSAPublicKey (RFC 8017, A.1.1)");
    }
    // Bouncy Castle's RSAPublicKey reads a negative INTEGER as positive.
    BigInteger modulus = ASN1Integer.getInstance(key.getObjectAt(0)).getValue();
    BigInteger exponent = ASN1Integer.getInstance(key.getObjectAt(1)).getValue();
    int bits = modulus.bitLength();
    if (modulus.signum() <= 0 || bits < MIN_BITS || bits > MAX_BITS) {
      throw new KeyNotAllowedException(
          "the RSA modulus is not positive, or has "
              + bits
              + " bits; certified are "
              + MIN_BITS
              + " to "
              + MAX_BITS);
    }
    if (!modulus.testBit(0)) {
      throw new KeyNotAllowedException("the RSA modulus is even");
    }
    if (!exponent.equals(EXPONENT)) {
      throw new KeyNotAllowedException("the RSA public exponent is not 65537");
    }
    // The last argument skips Bouncy Castle's search for factors, which takes 4 to 11 ms for a
    // modulus that it has not seen before, as with every one-time key. A modulus that someone else
    // can factor is the key generator's failure, and no search here would find it.
    return new RSAKeyParameters(false, modulus, exponent, true);
  }

  /** RFC 3279, section 2.3.1. */
  static SubjectPublicKeyInfo encode(RSAKeyParameters key) throws IOException {
    return new SubjectPublicKeyInfo(
        new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption, DERNull.INSTANCE),
        new RSAPublicKey(key.getModulus(), key.getExponent()));
  }
}
