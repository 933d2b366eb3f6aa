package org.keywell.keypool.hsm;

import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A device that generates, wraps, unwraps, uses and destroys one-time keys. Private keys exist in
 * clear only inside it (thesis section 3.2).
 *
 * <p>Thread-safe: any thread may call any method, and one thread may use a key that another
 * generated. Calls block while the device works and do not time out on their own.
 *
 * <p>Every method except {@link #destroy} and {@link #close} throws {@link HsmException} when the
 * device refuses or fails.
 */
public interface Hsm extends AutoCloseable {

  /**
   * Returns the device's id: the same in all processes that use the device, and unlike any other
   * device's. Not secret. May change after {@link #reopen}.
   */
  String tokenId();

  /** Returns the id of the wrapping key of {@link #wrap}, for pool rows. May change. */
  String wrappingKeyId();

  /**
   * Returns the ids of the wrapping keys of {@link #unwrap}, oldest first. While keys of an old one
   * are used up, there are several. May change.
   */
  default List<String> wrappingKeyIds() {
    return List.of(wrappingKeyId());
  }

  /** Returns the wrapping algorithm's name, for pool rows: {@code AES-KWP} is RFC 5649. */
  String wrapMechanism();

  /**
   * Whether the device says that it makes such keys and signs with them. That proves nothing; a
   * device that says no has no use for a pool of them.
   */
  boolean makes(KeySpec spec);

  /**
   * Generates a key pair for the pool. The private key is a session object, sensitive, and
   * extractable only for {@link #wrap}. Callers wrap and destroy it; it must not sign.
   */
  LiveKeyPair generateExtractable(KeySpec spec);

  /**
   * Generates a key pair for immediate use. The private key is a session object, sensitive, not
   * extractable, for signing only. This is the on-the-fly generation of the traditional system.
   */
  LiveKeyPair generate(KeySpec spec);

  /** Wraps the private key of a pair from {@link #generateExtractable}. Does not destroy it. */
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
   * Signs a digest, or with ML-DSA a message. Refuses a handle of an earlier epoch with {@link
   * HsmException.Reason#KEY_GONE}, without calling the device.
   *
   * @param digest of the length of {@code digestAlgorithm}; the message itself if the scheme {@link
   *     SignatureScheme#signsMessages}
   * @return the signature: as long as the modulus for RSA, DER for ECDSA
   * @throws IllegalArgumentException if the scheme does not fit the key, or the digest's length
   */
  byte[] sign(
      KeyHandle key, SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest);

  /**
   * Reports whether a signature verified with its public key: devices can return garbage with
   * success. Consecutive wrong signatures, by any keys, count as device failures until one verifies
   * or the device proves itself. Makes no device call; allocates nothing for a signature that
   * verifies.
   */
  void signed(boolean verifies);

  /**
   * Destroys a private key now. Does not throw: the result reports a failure, and the key then
   * counts as an orphan. For a handle of an earlier epoch, returns {@link Destruction#EPOCH_ENDED}
   * without calling the device.
   */
  Destruction destroy(KeyHandle key);

  /**
   * Returns key objects that calls left in the device because it did not destroy them, such as a
   * new pair whose public key could not be read. Returns each once; the caller destroys it.
   */
  default List<KeyHandle> takeUndestroyed() {
    return List.of();
  }

  /**
   * Counts the private keys that are session objects of this application and live in the device.
   * Slow on some devices with many live keys: for checks and operators, not for the signing path.
   */
  long countLiveKeys();

  /**
   * Counts the private and secret keys that outlive sessions (token objects) and whose origin is
   * unknown; wrapping keys are known. Slow with many live keys, as {@link #countLiveKeys}.
   *
   * @param known labels or ids of keys that belong there; each explains one key
   */
  long countStrayTokenKeys(Set<String> known);

  /**
   * Returns the data objects of this program that the token keeps, with names that start like this.
   * One name may occur more than once: after a crash in {@link #keepData}, or if two processes
   * wrote it at the same time.
   */
  List<TokenData> data(String prefix);

  /**
   * Keeps a data object in the token, beyond sessions and restarts, in place of all of that name.
   * The new one is there before the others go.
   *
   * @throws IllegalArgumentException if the value has more than {@value TokenData#MAX_BYTES} bytes
   */
  void keepData(TokenData data);

  /** Removes all data objects of that name. */
  void removeData(String name);

  /** Returns the device's health as its calls' results show it. Makes no call and never blocks. */
  HsmHealth health();

  /**
   * Whether using a live key is known to fail: a key leased now would be spent in vain. Called for
   * each request: makes no device call, allocates nothing.
   */
  boolean failsToSign();

  /**
   * Whether the last attempt showed that the device has no room for another unwrapped key. Live
   * keys still sign. Called for each request: makes no device call, allocates nothing.
   */
  boolean isFullToUnwrap();

  /** As {@link #isFullToUnwrap}, for another generated key pair. */
  boolean isFullToGenerate();

  /**
   * Checks that sessions (the next one each time) and login are alive and that the device answers.
   * Takes at most a few short calls.
   *
   * @throws HsmException if they are not
   */
  void probe();

  /**
   * Proves with a throw-away key that the device again does what failed, and that it unwraps, signs
   * and destroys.
   *
   * @param destroyer destroys the key's copies
   * @throws HsmException if the proof fails
   */
  void prove(Function<KeyHandle, Destruction> destroyer);

  /** Returns the current opening's number, also after its end, until the device is reopened. */
  long epoch();

  /**
   * Ends an epoch whose keys turned out to be gone: no call starts in the device until it is
   * reopened. Does nothing if the epoch has already ended.
   *
   * @param why for operators
   */
  void lose(long epoch, String why);

  /**
   * Sets the listener that runs whenever an epoch ends, on the thread that noticed. Replaces the
   * previous listener. It must be quick and must not throw.
   */
  void onLoss(Runnable listener);

  /**
   * Reopens the device, regardless of the state of its sessions. Ends the epoch, and with it every
   * key that lives in the device, then starts another. Waits for calls in progress, for a bounded
   * time. The device counts as up again once it has proved itself.
   *
   * @throws HsmException if that fails or a call does not return in time; no call then starts until
   *     another attempt succeeds. After {@link HsmException.Reason#LOGIN_REFUSED}, none will.
   */
  void reopen();

  /** Releases the device; every handle is dead afterwards. Does nothing the second time. */
  @Override
  void close();
}
