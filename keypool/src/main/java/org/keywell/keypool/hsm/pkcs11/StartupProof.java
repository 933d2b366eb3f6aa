package org.keywell.keypool.hsm.pkcs11;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.ProofSignature;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Takes a throw-away key through a key's whole life. Modules that list a mechanism may still refuse
 * it or do it differently; better to learn that now than with the first request. Thread-safe.
 */
final class StartupProof {
  private static final String PROOF_FAILED = "start-up proof failed: ";

  /** The wrapped key of the last successful proof, of no use except for further proofs. */
  private volatile @Nullable WrappedKey known;

  /**
   * Generates and wraps a key, then uses it.
   *
   * @param destroyer destroys both copies
   * @throws HsmException if a step fails or the signature is wrong
   */
  void run(Opening opening, Function<KeyHandle, Destruction> destroyer) {
    WrappedKey wrapped = make(opening, destroyer);
    use(opening, wrapped, destroyer);
    known = wrapped;
  }

  /**
   * Generates and wraps a throw-away key.
   *
   * @param destroyer destroys the live copy
   */
  static WrappedKey make(Opening opening, Function<KeyHandle, Destruction> destroyer) {
    LiveKeyPair generated = opening.generateExtractable(KeySpec.RSA_2048);
    WrappedKey wrapped;
    Destruction ofGenerated;
    try {
      wrapped = opening.wrap(generated);
    } finally {
      ofGenerated = destroyer.apply(generated.privateKey());
    }
    requireDestroyed(ofGenerated);
    return wrapped;
  }

  /**
   * Uses the key of an earlier proof, which saves the device a generation.
   *
   * @param destroyer destroys it
   * @throws HsmException if a step fails or the signature is wrong
   */
  void runWithKnownKey(Opening opening, Function<KeyHandle, Destruction> destroyer) {
    WrappedKey key = known;
    // A wrapping key that has been followed by another may be destroyed at any time.
    if (key == null || !key.wrappingKeyId().equals(opening.wrappingKey().id())) {
      run(opening, destroyer);
    } else {
      use(opening, key, destroyer);
    }
  }

  /**
   * Unwraps a throw-away key, signs with it, and verifies the signature with its public key.
   *
   * @param destroyer destroys it
   * @throws HsmException if a step fails or the signature is wrong
   */
  static void use(Opening opening, WrappedKey wrapped, Function<KeyHandle, Destruction> destroyer) {
    KeyHandle unwrapped = opening.unwrap(wrapped);
    byte[] signature;
    Destruction ofUnwrapped;
    try {
      signature =
          opening.sign(
              unwrapped,
              ProofSignature.scheme(wrapped.spec()),
              ProofSignature.DIGEST,
              ProofSignature.content(wrapped.spec()));
    } finally {
      ofUnwrapped = destroyer.apply(unwrapped);
    }
    requireDestroyed(ofUnwrapped);
    if (!ProofSignature.verifies(wrapped.spec(), wrapped.publicKey(), signature)) {
      throw new HsmException(
          Reason.FAILED,
          PROOF_FAILED + "the signature of an unwrapped key does not verify with its public key");
    }
  }

  private static void requireDestroyed(Destruction destruction) {
    if (!destruction.succeeded()) {
      throw new HsmException(
          Reason.FAILED,
          destruction.returnValue(),
          PROOF_FAILED + "C_DestroyObject returned " + ReturnValue.name(destruction.returnValue()));
    }
  }
}
