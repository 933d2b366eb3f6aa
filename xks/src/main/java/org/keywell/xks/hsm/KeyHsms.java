package org.keywell.xks.hsm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.pkcs11.CipherCall;
import org.keywell.keypool.hsm.pkcs11.TokenAesKey;
import org.keywell.keypool.hsm.pkcs11.TokenAesKeys;
import org.keywell.keypool.log.LogPace;
import org.keywell.xks.error.XksError;
import org.keywell.xks.error.XksException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HSMs of this instance. A call goes to the first that works, has room and keeps the key; if it
 * fails there, to the next. In each, a bounded number of calls is in progress, so that a hanging
 * one holds no more threads. Thread-safe.
 */
public final class KeyHsms {

  private static final Logger log = LoggerFactory.getLogger(KeyHsms.class);

  private static final int IV_BYTES = 12;
  private static final int TAG_BYTES = 16;

  private final Supplier<List<KeyHsm>> all;
  private final LogPace failures = new LogPace(System::nanoTime);

  /**
   * @param all those that are open now, the preferred first
   */
  public KeyHsms(Supplier<List<KeyHsm>> all) {
    this.all = all;
  }

  /** Returns those that are open now. */
  public List<KeyHsm> all() {
    return all.get();
  }

  /**
   * Encrypts by AES-GCM.
   *
   * @param untilNanos when to give up waiting for room in a device, by {@link System#nanoTime}
   * @return the ciphertext and its tag of 16 bytes
   * @throws XksException if no device does
   */
  public byte[] encrypt(TokenAesKey key, byte[] iv, byte[] aad, byte[] plaintext, long untilNanos) {
    CipherCall call = new CipherCall(CipherCall.Mode.GCM, iv, aad, TAG_BYTES);
    return call(untilNanos, keys -> keys.encrypt(key, call, plaintext));
  }

  /**
   * Decrypts what {@link #encrypt} returns. As there.
   *
   * @throws XksException with {@link XksError#INVALID_CIPHERTEXT} if it is not that
   */
  public byte[] decrypt(
      TokenAesKey key, byte[] iv, byte[] aad, byte[] ciphertext, long untilNanos) {
    CipherCall call = new CipherCall(CipherCall.Mode.GCM, iv, aad, TAG_BYTES);
    return call(untilNanos, keys -> keys.decrypt(key, call, ciphertext));
  }

  /** Returns the length of the IVs in use, in bytes. */
  public static int ivBytes() {
    return IV_BYTES;
  }

  private byte[] call(long untilNanos, Function<TokenAesKeys, byte[]> work) {
    HsmException failure = null;
    boolean gone = true;
    for (KeyHsm hsm : inOrder()) {
      if (!enter(hsm, untilNanos)) {
        throw new XksException(
            XksError.DEPENDENCY_TIMEOUT,
            "as many calls are in HSM %s as keywell.xks.calls-per-hsm allows"
                .formatted(hsm.name()));
      }
      try {
        return work.apply(hsm.keys());
      } catch (HsmException e) {
        if (e.reason() == Reason.DATA_INVALID) {
          throw new XksException(
              XksError.INVALID_CIPHERTEXT, "the key did not encrypt this with this data", e);
        }
        gone &= e.reason() == Reason.KEY_GONE;
        failure = e.reason() == Reason.KEY_GONE && failure != null ? failure : e;
        tell(hsm, e);
      } finally {
        hsm.calls().release();
      }
    }
    throw failed(failure, gone);
  }

  /** Another may serve the request, so that nobody else tells of this one. */
  private void tell(KeyHsm hsm, HsmException e) {
    long told = e.reason() == Reason.KEY_GONE ? 0 : failures.due(1);
    if (told > 0) {
      log.error(
          "XKS calls that HSMs failed: {}; the last: {}: {}", told, hsm.name(), e.getMessage());
    }
  }

  private static XksException failed(@Nullable HsmException failure, boolean gone) {
    if (failure == null) {
      return new XksException(XksError.INTERNAL, "no HSM is available");
    }
    return new XksException(
        XksError.INTERNAL, gone ? "no available HSM keeps the key" : "the HSM failed", failure);
  }

  /** Those with room come first, so that a hanging device is passed by, and failing ones last. */
  private List<KeyHsm> inOrder() {
    List<KeyHsm> first = new ArrayList<>();
    List<KeyHsm> full = new ArrayList<>();
    List<KeyHsm> failing = new ArrayList<>();
    for (KeyHsm hsm : all.get()) {
      if (hsm.fails().getAsBoolean()) {
        failing.add(hsm);
      } else if (hsm.calls().availablePermits() > 0) {
        first.add(hsm);
      } else {
        full.add(hsm);
      }
    }
    first.addAll(full);
    first.addAll(failing);
    return first;
  }

  private static boolean enter(KeyHsm hsm, long untilNanos) {
    try {
      return hsm.calls().tryAcquire()
          || hsm.calls().tryAcquire(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Has each device encrypt and decrypt with a key that is made for it, if it works. */
  public void prove() {
    all.get().forEach(hsm -> proves(hsm, Duration.ZERO));
  }

  /** Whether a device works: it encrypts and decrypts with a key that is made for it. */
  boolean proves(KeyHsm hsm, Duration patience) {
    if (hsm.fails().getAsBoolean() || !enter(hsm, System.nanoTime() + patience.toNanos())) {
      return false;
    }
    try {
      hsm.keys().prove();
      return true;
    } catch (HsmException e) {
      return false;
    } finally {
      hsm.calls().release();
    }
  }
}
