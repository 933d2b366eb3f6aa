package org.keywell.kmip.operation;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.EllipticCurve;
import org.keywell.kmip.message.KmipException;

/** Whether the numbers of a key make one: parsers look at their encoding only. */
final class KeyChecks {

  private static final int LEAST_RSA_BITS = 1024;
  private static final int MOST_RSA_BITS = 16_384;

  /** FIPS 186-5, appendix A.1.1. Longer ones make whoever uses the key wait. */
  private static final int MOST_EXPONENT_BITS = 256;

  private static final int PRIME_CERTAINTY = 64;

  private KeyChecks() {}

  static void require(PublicKey key) {
    switch (key) {
      case RSAPublicKey rsa -> require(rsa.getModulus(), rsa.getPublicExponent());
      case ECPublicKey ec -> {
        EllipticCurve curve = ec.getParams().getCurve();
        BigInteger p = prime(ec.getParams());
        BigInteger x = ec.getW().getAffineX();
        BigInteger y = ec.getW().getAffineY();
        require(isIn(x, BigInteger.ZERO, p) && isIn(y, BigInteger.ZERO, p));
        BigInteger right = x.pow(2).add(curve.getA()).multiply(x).add(curve.getB());
        require(y.pow(2).subtract(right).mod(p).signum() == 0);
      }
      default -> throw invalid();
    }
  }

  static void require(PrivateKey key) {
    switch (key) {
      case RSAPrivateCrtKey rsa -> {
        BigInteger e = rsa.getPublicExponent();
        BigInteger p = rsa.getPrimeP();
        BigInteger q = rsa.getPrimeQ();
        require(rsa.getModulus(), e);
        require(p.multiply(q).equals(rsa.getModulus()) && !p.equals(q));
        requirePrime(p, e, rsa.getPrivateExponent(), rsa.getPrimeExponentP());
        requirePrime(q, e, rsa.getPrivateExponent(), rsa.getPrimeExponentQ());
        require(isOne(rsa.getCrtCoefficient().multiply(q), p));
      }
      case ECPrivateKey ec -> require(isIn(ec.getS(), BigInteger.ONE, ec.getParams().getOrder()));
      default -> throw invalid();
    }
  }

  private static void require(BigInteger modulus, BigInteger exponent) {
    require(
        modulus.testBit(0)
            && modulus.bitLength() >= LEAST_RSA_BITS
            && modulus.bitLength() <= MOST_RSA_BITS
            && exponent.testBit(0)
            && exponent.compareTo(BigInteger.ONE) > 0
            && exponent.bitLength() <= MOST_EXPONENT_BITS);
  }

  private static void requirePrime(
      BigInteger prime, BigInteger e, BigInteger d, BigInteger ofPrime) {
    BigInteger order = prime.subtract(BigInteger.ONE);
    require(
        prime.isProbablePrime(PRIME_CERTAINTY)
            && isOne(e.multiply(d), order)
            && isOne(e.multiply(ofPrime), order));
  }

  /** Requires that both are halves of one pair. */
  static void requirePair(PrivateKey secret, PublicKey open) {
    require(open);
    byte[] message = {1};
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(secret);
      signature.update(message);
      byte[] signed = signature.sign();
      signature.initVerify(open);
      signature.update(message);
      require(signature.verify(signed));
    } catch (GeneralSecurityException e) {
      throw new KmipException("InvalidField", "private and public key are no pair", e);
    }
  }

  private static BigInteger prime(ECParameterSpec parameters) {
    if (parameters.getCurve().getField() instanceof ECFieldFp field) {
      return field.getP();
    }
    throw invalid();
  }

  private static boolean isIn(BigInteger number, BigInteger from, BigInteger below) {
    return number.compareTo(from) >= 0 && number.compareTo(below) < 0;
  }

  private static boolean isOne(BigInteger number, BigInteger modulus) {
    return modulus.signum() > 0 && number.mod(modulus).equals(BigInteger.ONE);
  }

  private static void require(boolean holds) {
    if (!holds) {
      throw invalid();
    }
  }

  private static KmipException invalid() {
    return new KmipException("InvalidField", "the numbers of the key make no RSA or EC key");
  }
}
