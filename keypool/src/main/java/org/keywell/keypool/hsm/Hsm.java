package org.keywell.keypool.hsm;

import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A device that makes, wraps, unwraps, uses and destroys one-time keys. Private keys exist in clear
 * only inside it (thesis section 3.2).
 *
 * <p>Thread-safe: any thread may call any method, and a key made by one thread may be used by
 * another. Calls block while the device works and do not time out by themselves.
 *
 * <p>Every method but {@link #destroy} and {@link #close} throws {@link HsmException} when the
 * device refuses or fails.
 */
public interface Hsm extends AutoCloseable {

  /**
   * Names the device as the same for all processes that use it, and unlike any other. No secret. It
   * may be another one after {@link #reopen}.
   */
  String tokenId();

  /** Names the wrapping key that {@link #wrap} and {@link #unwrap} use, for pool rows. */
  String wrappingKeyId();

  /** Names the wrapping algorithm, for pool rows: {@code AES-KWP} is that of RFC 5649. */
  String wrapMechanism();

  /**
   * Generates a key pair for the pool: the private key is a session object, sensitive, and
   * extractable for the sake of {@link #wrap} only. It is to be wrapped and destroyed, not to sign.
   */
  LiveKeyPair generateExtractable(KeySpec spec);

  /**
   * Generates a key pair to be used at once: the private key is a session object, sensitive, not
   * extractable, for signing only. This is the on-the-fly generation of the traditional system.
   */
  LiveKeyPair generate(KeySpec spec);

  /**
   * Wraps the private key of a pair that {@link #generateExtractable} made. Does not destroy it.
   */
  WrappedKey wrap(LiveKeyPair keyPair);

  /**
   * Unwraps a private key into the device as a session object: sensitive, not extractable, for
   * signing only. The caller owns the handle.
   *
   * @throws HsmException with {@link HsmException.Reason#WRAPPED_KEY_INVALID} if the ciphertext was
   *     altered or belongs to another wrapping key
   */
  KeyHandle unwrap(WrappedKey key);

  /**
   * Signs a digest. A handle of an earlier epoch is refused as {@link HsmException.Reason#KEY_GONE}
   * before the device is asked.
   *
   * @param digest as long as {@code digestAlgorithm} says
   * @return the signature: as long as the modulus for RSA, DER for ECDSA
   * @throws IllegalArgumentException if the scheme does not fit the key, or the length the digest
   */
  byte[] sign(
      KeyHandle key, SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest);

  /**
   * Tells whether what a key signed verifies with its public key: devices return garbage with
   * success. Wrong signatures in a row, whatever the keys, are failures of the device as others
   * are, until one verifies or the device proves itself. Asks nobody; allocates nothing for one
   * that verifies.
   */
  void signed(boolean verifies);

  /**
   * Destroys a private key now. Does not throw: a failure is in the result, and the key then counts
   * as an orphan. For a handle of an earlier epoch the device is not asked: {@link
   * Destruction#EPOCH_ENDED}.
   */
  Destruction destroy(KeyHandle key);

  /**
   * Key objects that calls left live in the device because it did not destroy them, such as a new
   * pair whose public key could not be read. Each is returned once, to be destroyed by the caller.
   */
  default List<KeyHandle> takeUndestroyed() {
    return List.of();
  }

  /**
   * Counts the private keys that are session objects of this application, live inside the device.
   * Slow on some devices when many keys are live: for checks and operators, not for the signing
   * path.
   */
  long countLiveKeys();

  /**
   * Counts the private keys that outlive sessions (token objects) and that nobody is known to have
   * made. Slow where many keys are live, as {@link #countLiveKeys}.
   *
   * @param known labels or ids of those that belong there; each explains one key
   */
  long countStrayTokenKeys(Set<String> known);

  /** How the device is, by what its calls returned. Asks nobody and never blocks. */
  HsmHealth health();

  /**
   * Whether what a live key's use needs is known to fail: a key that is leased now would be spent
   * for nothing. For each request: asks nobody, allocates nothing.
   */
  boolean failsToSign();

  /**
   * Whether the device has no room for another unwrapped key, as far as the last attempt told. Keys
   * that live in it still sign. For each request: asks nobody, allocates nothing.
   */
  boolean isFullToUnwrap();

  /** As {@link #isFullToUnwrap}, for another generated key pair. */
  boolean isFullToGenerate();

  /**
   * Looks whether sessions, the next one each time, and login are alive and the device answers.
   * Takes no longer than a few short calls.
   *
   * @throws HsmException if they are not
   */
  void probe();

  /**
   * Has the device prove with a throw-away key that it does again what failed, and that it unwraps,
   * signs and destroys.
   *
   * @param destroyer destroys the key's copies
   * @throws HsmException if it does not
   */
  void prove(Function<KeyHandle, Destruction> destroyer);

  /**
   * Names the present opening, the one whose keys live; also after its end, until it is reopened.
   */
  long epoch();

  /**
   * Ends an epoch of which it turned out that its keys are gone: no call begins in the device until
   * it was reopened. Does nothing if it has ended already.
   *
   * @param why for operators
   */
  void lose(long epoch, String why);

  /**
   * Has this run whenever an epoch ends, on the thread that noticed; instead of what was given
   * before. It must be quick and must not throw.
   */
  void onLoss(Runnable listener);

  /**
   * Opens the device anew, whatever became of its sessions: the epoch ends, and with it every key
   * that lives in the device; then another one begins. Waits for calls in progress, for a bounded
   * time. It counts as up again after it has proved itself.
   *
   * @throws HsmException if that fails, or a call does not return in time; no call begins then
   *     until another attempt succeeds. With {@link HsmException.Reason#LOGIN_REFUSED}, none will.
   */
  void reopen();

  /** Releases the device; every handle is dead afterwards. Does nothing the second time. */
  @Override
  void close();
}
