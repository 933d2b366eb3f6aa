package org.keywell.kmip.operation;

import java.math.BigInteger;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
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

  /**
   * Requires that both are halves of one pair. Computed here: Java reads keys of curves that it
   * does not sign with.
   */
  static void requirePair(ECPrivateKey secret, ECPublicKey open) {
    require(open);
    ECParameterSpec curve = secret.getParams();
    ECPoint sum = ECPoint.POINT_INFINITY;
    for (int bit = secret.getS().bitLength() - 1; bit >= 0; bit--) {
      sum = add(curve, sum, sum);
      if (secret.getS().testBit(bit)) {
        sum = add(curve, sum, curve.getGenerator());
      }
    }
    require(sum.equals(open.getW()));
  }

  /** Adds two points of a curve over a prime field (SEC 1, section 2.2.1). */
  private static ECPoint add(ECParameterSpec curve, ECPoint one, ECPoint other) {
    if (one.equals(ECPoint.POINT_INFINITY)) {
      return other;
    }
    if (other.equals(ECPoint.POINT_INFINITY)) {
      return one;
    }
    BigInteger p = prime(curve);
    BigInteger x = one.getAffineX();
    BigInteger y = one.getAffineY();
    BigInteger rise = other.getAffineY().subtract(y);
    BigInteger run = other.getAffineX().subtract(x);
    if (run.mod(p).signum() == 0) {
      if (!one.equals(other) || y.signum() == 0) {
        return ECPoint.POINT_INFINITY;
      }
      rise = x.pow(2).multiply(BigInteger.valueOf(3)).add(curve.getCurve().getA());
      run = y.shiftLeft(1);
    }
    BigInteger slope = rise.multiply(run.modInverse(p)).mod(p);
    BigInteger sumX = slope.pow(2).subtract(x).subtract(other.getAffineX()).mod(p);
    return new ECPoint(sumX, slope.multiply(x.subtract(sumX)).subtract(y).mod(p));
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
