package org.keywell.keypool.hsm.pkcs11;

import java.util.List;
import java.util.stream.LongStream;
import org.keywell.keypool.hsm.KeySpec;

/**
 * What PKCS#11 has to know of the keys of one algorithm: a table with a row for each, by PKCS#11
 * 3.2.
 */
enum KeyKind {
  RSA(Ck.CKK_RSA, Mechanisms.CKM_RSA_PKCS_KEY_PAIR_GEN, Mechanisms.CKM_RSA_PKCS) {
    @Override
    Template.Builder describe(KeySpec spec, Template.Builder publicKey) {
      return publicKey
          .with(Cka.CKA_MODULUS_BITS, spec.bits())
          .with(Cka.CKA_PUBLIC_EXPONENT, new byte[] {1, 0, 1});
    }
  },
  EC(Ck.CKK_EC, Mechanisms.CKM_EC_KEY_PAIR_GEN, Mechanisms.CKM_ECDSA) {
    @Override
    Template.Builder describe(KeySpec spec, Template.Builder publicKey) {
      return publicKey.with(Cka.CKA_EC_PARAMS, NamedCurve.of(spec).ecParams());
    }
  },
  ML_DSA(Ck.CKK_ML_DSA, Mechanisms.CKM_ML_DSA_KEY_PAIR_GEN, Mechanisms.CKM_ML_DSA) {
    @Override
    Template.Builder describe(KeySpec spec, Template.Builder publicKey) {
      return publicKey.with(Cka.CKA_PARAMETER_SET, PARAMETER_SETS.indexOf(spec) + 1);
    }
  };

  /** Those of {@code CKP_ML_DSA_44}, which is 1, and the next. */
  private static final List<KeySpec> PARAMETER_SETS =
      List.of(KeySpec.ML_DSA_44, KeySpec.ML_DSA_65, KeySpec.ML_DSA_87);

  private final long keyType;
  private final long keyPairGen;

  /** One that every module has which signs with such keys. */
  private final long signing;

  KeyKind(long keyType, long keyPairGen, long signing) {
    this.keyType = keyType;
    this.keyPairGen = keyPairGen;
    this.signing = signing;
  }

  static KeyKind of(KeySpec.Algorithm algorithm) {
    return switch (algorithm) {
      case RSA -> RSA;
      case EC -> EC;
      case ML_DSA -> ML_DSA;
    };
  }

  /** Returns the value of {@code CKA_KEY_TYPE}. */
  long keyType() {
    return keyType;
  }

  /** Returns the number of the mechanism that generates. */
  long keyPairGen() {
    return keyPairGen;
  }

  /** Whether the token offers the mechanisms to generate and sign by. */
  boolean isOffered(Session session, long slotId) {
    return LongStream.of(keyPairGen, signing)
        .allMatch(mechanism -> {
          long returned = session.functions().getMechanismInfo(slotId, mechanism, session.output());
          boolean missing = ReturnValue.CKR_MECHANISM_INVALID.is(returned);
          if (!missing) {
            ReturnValue.check("C_GetMechanismInfo", returned);
          }
          return !missing;
        });
  }

  /** Adds to a public key's template what tells the kinds of this algorithm apart. */
  abstract Template.Builder describe(KeySpec spec, Template.Builder publicKey);
}
