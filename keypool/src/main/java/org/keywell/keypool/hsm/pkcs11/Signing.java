package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;

/**
 * Signs digests with {@code CKM_RSA_PKCS}, {@code CKM_RSA_PKCS_PSS} and {@code CKM_ECDSA}, and
 * messages with {@code CKM_ML_DSA}.
 */
final class Signing {
  private final Mechanisms mechanisms;

  Signing(Mechanisms mechanisms) {
    this.mechanisms = mechanisms;
  }

  static void requireFits(
      KeySpec spec, SignatureScheme scheme, DigestAlgorithm algorithm, byte[] digest) {
    if (!scheme.fits(spec)) {
      throw new IllegalArgumentException(scheme + " does not fit a key of " + spec);
    }
    if (scheme.signsMessages()) {
      if (digest.length > Session.BUFFER_BYTES) {
        throw new IllegalArgumentException(
            "message has %d bytes, more than %d".formatted(digest.length, Session.BUFFER_BYTES));
      }
    } else if (digest.length != algorithm.lengthBytes()) {
      throw new IllegalArgumentException(
          "digest has "
              + digest.length
              + " bytes, "
              + algorithm
              + " has "
              + algorithm.lengthBytes());
    }
  }

  /** Starts signing; the key has not signed yet. */
  void begin(Session session, KeyHandle key, SignatureScheme scheme, DigestAlgorithm algorithm) {
    session.began(
        "C_SignInit",
        session
            .functions()
            .signInit(session.handle(), mechanisms.signing(scheme, algorithm), key.value()));
  }

  /** Completes signing, in the same session. */
  byte[] complete(
      Session session,
      KeyHandle key,
      SignatureScheme scheme,
      DigestAlgorithm algorithm,
      byte[] digest) {
    int length = putData(session, key.spec(), scheme, algorithm, digest);
    ReturnValue.check(
        "C_Sign",
        session.ended(
            session
                .functions()
                .sign(
                    session.handle(),
                    session.input(),
                    length,
                    session.output(),
                    session.outputCapacity())));
    byte[] signature = session.takeOutput();
    return scheme == SignatureScheme.ECDSA ? EcdsaSignature.toDer(signature) : signature;
  }

  private static int putData(
      Session session,
      KeySpec spec,
      SignatureScheme scheme,
      DigestAlgorithm algorithm,
      byte[] digest) {
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 -> {
        byte[] info = DigestInfo.of(algorithm, digest);
        yield put(session, info, info.length);
      }
      case RSASSA_PSS, ML_DSA_44, ML_DSA_65, ML_DSA_87 -> put(session, digest, digest.length);
      // ECDSA takes the leftmost bits of a digest that is longer than the order (FIPS 186-5,
      // section 6.4.1); not every module does that itself.
      case ECDSA -> put(session, digest, Math.min(digest.length, NamedCurve.of(spec).fieldBytes()));
    };
  }

  private static int put(Session session, byte[] digest, int length) {
    session.put(0, digest, length);
    return length;
  }
}
