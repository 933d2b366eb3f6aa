package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.security.Provider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.TokenData;
import org.keywell.keypool.hsm.WrappedKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HSM behind a PKCS#11 module.
 *
 * <p>At most {@link Pkcs11Config#maxSessions()} calls run at a time, plus {@link
 * Pkcs11Config#unwrapSessions()} unwraps. A call that finds no free session waits at most 10
 * seconds, then fails with {@link Reason#EXHAUSTED}. Virtual threads may call; they hold their
 * carrier while the device works.
 *
 * <p>Leaves other users of the same module in this process alone, except for {@link #reopen}, which
 * notifies them: it never logs out, and {@link #close} closes only its own sessions. All of them
 * share the login. {@link #countLiveKeys} counts the session keys of all of them, too, except those
 * of {@link #managedKeys}.
 */
public final class Pkcs11Hsm implements Hsm {
  private static final Logger log = LoggerFactory.getLogger(Pkcs11Hsm.class);

  /** The functions whose results a proof of encryption tries. */
  private static final Set<CkFunction> OF_CIPHERS =
      EnumSet.of(CkFunction.C_ENCRYPT, CkFunction.C_DECRYPT);

  /** The functions whose results only a proof with a new key tries. */
  private static final Set<CkFunction> OF_WRAPPING =
      EnumSet.of(CkFunction.C_WRAP_KEY, CkFunction.C_UNWRAP_KEY, CkFunction.C_GET_ATTRIBUTE_VALUE);

  private final CryptokiLibrary library;
  private final Calls calls;
  private final DeviceState state;
  private final Life life = new Life();
  private final Queue<KeyHandle> undestroyed = new ConcurrentLinkedQueue<>();
  private final StartupProof proof = new StartupProof();
  private final Reopening reopening;
  private final CertifiedKeys certifiedKeys;
  private volatile Opening opening;
  private volatile WrappingKeyChoice choice = WrappingKeyChoice.NONE;
  private volatile boolean closed;
  private volatile Runnable onLoss = () -> {};

  Pkcs11Hsm(
      CryptokiLibrary library,
      Pkcs11Config config,
      Supplier<Pin> pins,
      CallLimits limits,
      CallListener listener) {
    this.library = library;
    // One call per session, plus the slot queries before there is any session.
    this.state = new DeviceState(limits);
    this.calls =
        new Calls(
            config.maxSessions() + config.unwrapSessions() + 1, limits, state.andThen(listener));
    this.reopening =
        new Reopening(
            library, library.functions().with(calls), config, pins, undestroyed::add, this::lost);
    this.certifiedKeys = new CertifiedKeys(library);
    this.opening = reopening.first(this::proved);
    // Only now: an attempt that fails leaves nothing behind, and does not count as use.
    reopening.add(certifiedKeys);
    state.reopened();
  }

  /**
   * Loads the module, finds the token, logs in, checks the wrapping key and proves with a
   * throw-away key that the device does what the pool needs.
   *
   * <p>Tries the PIN once; not at all if the process is already logged in to the token.
   *
   * @param pins supplies the user's PIN, for this to close; called now and for each {@link #reopen}
   * @throws HsmException with {@link Reason#UNAVAILABLE} if the module cannot be loaded, {@link
   *     Reason#FAILED} if it signs wrongly or destroys nothing, {@link Reason#LOGIN_REFUSED} if the
   *     PIN is wrong, {@link Reason#NOT_BOOTSTRAPPED} if the token or wrapping key is missing or
   *     not as required
   */
  public static Pkcs11Hsm open(Pkcs11Config config, Supplier<Pin> pins) {
    return open(config, pins, CallLimits.DEFAULT, CallListener.NONE);
  }

  /**
   * As {@link #open(Pkcs11Config, Supplier)}.
   *
   * @param listener is notified of each call to the device, including the proof's
   */
  public static Pkcs11Hsm open(
      Pkcs11Config config, Supplier<Pin> pins, CallLimits limits, CallListener listener) {
    CryptokiLibrary library = CryptokiLibrary.load(config.module(), config.initializeParameters());
    try {
      return new Pkcs11Hsm(library, config, pins, limits, listener);
    } catch (HsmException e) {
      // SoftHSM keeps what it has read of a token that another process was writing.
      boolean _ = library.readTokensAgain();
      throw e;
    }
  }

  /** Returns the current opening. */
  Opening opening() {
    return opening;
  }

  /**
   * Returns the token's slot id, for other users of the module: indexes into the slot list change.
   * May change after {@link #reopen}.
   */
  public long slotId() {
    return opening.slotId();
  }

  /**
   * Makes a call for another user of the module. It has the same time limit as this device's calls,
   * and no {@link #reopen} finalises the module meanwhile.
   *
   * @param maxWait how long to wait while the device is being reopened
   * @return empty if that took longer, or the thread was interrupted; its flag then stays set
   */
  public <T> Optional<T> foreignCall(Duration maxWait, Supplier<T> call) {
    Lock use = library.sharedUse();
    try {
      if (!use.tryLock(maxWait.toNanos(), TimeUnit.NANOSECONDS)) {
        return Optional.empty();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    int place = calls.begins(CkFunction.C_SIGN);
    try {
      return Optional.of(call.get());
    } finally {
      calls.over(place);
      use.unlock();
    }
  }

  /**
   * Returns a provider of the keys that stay in the token with their certificates, which are none
   * of the pool's. It has:
   *
   * <ul>
   *   <li>a {@code KeyStore} of type {@code PKCS11}: a private key and its certificate have the
   *       same {@code CKA_ID}, and the certificate's {@code CKA_LABEL} is their alias. Each other
   *       certificate is an entry, too. Whatever else the token holds is left out, whatever it is,
   *       so no chains are built;
   *   <li>{@code Signature} by ECDSA and RSA, PKCS #1 v1.5, to sign only;
   *   <li>{@code KeyPairGenerator} for {@code EC} and {@code RSA}: pairs of session objects, which
   *       {@code KeyStore.setKeyEntry} moves to the token.
   * </ul>
   *
   * <p>Shares this device's login, and opens as many sessions as threads use it at once. Its calls
   * are not counted among this device's: make them by {@link #foreignCall}. After a {@link #reopen}
   * it must not be used: get another.
   *
   * @param slotId as {@link #slotId}, or as {@link ModuleUser#renew} receives it
   */
  public Provider certifiedKeys(long slotId) {
    return certifiedKeys.provider(slotId);
  }

  /** Returns the token's Ed25519 keys, which are none of the pool's. */
  public Ed25519Keys ed25519Keys() {
    return new Ed25519Keys(library.functions(), () -> opening);
  }

  /**
   * Returns the operations on keys that are kept under this device's wrapping key. While a call of
   * this device exceeds its limit, they are refused with {@link Reason#UNAVAILABLE}, so that no
   * further callers wait for one that may never return.
   *
   * @throws HsmException with {@link Reason#NOT_BOOTSTRAPPED} if that is not a wrapping key for
   *     managed keys ({@link TokenBootstrap#ensureManagedWrappingKey})
   */
  public ManagedKeys managedKeys() {
    opening.wrappingKey().requireUnbound();
    return new ManagedKeys(library, this::openingThatAnswers, new ResultProofs(state));
  }

  /** Returns the operations on AES keys that stay in the token. Refused as {@link #managedKeys}. */
  public TokenAesKeys tokenAesKeys() {
    return new TokenAesKeys(library, this::openingThatAnswers, new ResultProofs(state));
  }

  /**
   * Uses the wrapping keys of its label as chosen, from now on and after each {@link #reopen}.
   * Makes no call to the device.
   */
  public void useWrappingKeys(WrappingKeyChoice chosen) {
    choice = chosen;
    opening.use(chosen);
  }

  /**
   * Looks in the token for wrapping keys of its label that another process made or destroyed.
   *
   * @throws HsmException if the device fails, or a key is not as required; nothing changes then
   */
  public void lookForWrappingKeys() {
    opening.lookForWrappingKeys();
  }

  /** Returns the ids of the wrapping keys last seen in the token, used or not, oldest first. */
  public List<String> foundWrappingKeyIds() {
    return opening.foundWrappingKeyIds();
  }

  /** Returns the device's maker, or the library's, and model. */
  public String model() {
    return opening.model();
  }

  private Opening openingThatAnswers() {
    Calls.Running overdue = calls.overdue();
    if (overdue != null) {
      throw new HsmException(Reason.UNAVAILABLE, DeviceState.hangs(overdue).message());
    }
    return opening;
  }

  /** Notifies another user of the module of each {@link #reopen} of this token from now on. */
  public void add(ModuleUser user) {
    reopening.add(user);
  }

  /** Returns the state that its calls show. */
  DeviceState state() {
    return state;
  }

  WrappingKey wrappingKey() {
    return opening.wrappingKey();
  }

  @Override
  public long epoch() {
    return opening.epoch();
  }

  @Override
  public void lose(long epoch, String why) {
    Opening now = opening;
    if (now.epoch() == epoch) {
      now.lose(why);
    }
  }

  private void lost(Opening ended, String why) {
    if (ended == opening) {
      log.error("the HSM lost its sessions or its keys, and must be reopened: {}", why);
      life.lost(why, System.nanoTime());
      onLoss.run();
    }
  }

  @Override
  public void onLoss(Runnable listener) {
    onLoss = listener;
  }

  @Override
  public synchronized void reopen() {
    Opening ended = opening;
    ended.lose("it is to be reopened");
    try {
      if (closed) {
        throw new HsmException(Reason.SESSION_LOST, "the HSM was closed");
      }
      Opening next = reopening.next(ended, this::proved);
      state.reopened();
      next.use(choice);
      opening = next;
      // Another thread may have chosen meanwhile, for the opening before.
      next.use(choice);
      if (closed) {
        reopening.close(next);
      }
      life.reopened();
      // A loss before this opening was published was not reported.
      if (next.isLost()) {
        lost(next, "lost as soon as it was opened");
      }
      log.info("reopened the token, in slot {}", next.slotId());
    } catch (HsmException e) {
      if (e.reason() == Reason.LOGIN_REFUSED) {
        life.loginRefused(String.valueOf(e.getMessage()), System.nanoTime());
      } else {
        life.reopeningFailed(String.valueOf(e.getMessage()), System.nanoTime());
      }
      throw e;
    }
  }

  private void proved(Opening fresh) {
    proof.run(fresh, fresh::destroy);
  }

  @Override
  public HsmHealth health() {
    return state.health(life, calls);
  }

  @Override
  public boolean failsToSign() {
    return life.isLost() || state.failsToSign() || calls.overdue() != null;
  }

  /** As {@link #failsToSign}, or as many results of encryption or decryption were wrong. */
  public boolean failsToEncrypt() {
    return failsToSign() || state.failsToEncrypt();
  }

  @Override
  public boolean isFullToUnwrap() {
    return state.isFullToUnwrap();
  }

  @Override
  public boolean isFullToGenerate() {
    return state.isFullToGenerate();
  }

  @Override
  public void probe() {
    opening.probe();
  }

  /** Uses the RSA-2048 key that {@link #open} generated for it, unless generation fails. */
  @Override
  public void prove(Function<KeyHandle, Destruction> destroyer) {
    if (state.isFullToUnwrap()) {
      // There may be room for a key by now, though not for a pair.
      proof.runWithKnownKey(opening, destroyer);
    }
    if (state.wasWrong(OF_CIPHERS)) {
      tokenAesKeys().prove();
    }
    if (state.failsToGenerate() || state.wasWrong(OF_WRAPPING)) {
      proof.run(opening, destroyer);
    } else {
      proof.runWithKnownKey(opening, destroyer);
    }
    state.proved();
  }

  @Override
  public String tokenId() {
    return opening.tokenId();
  }

  @Override
  public String wrappingKeyId() {
    return opening.wrappingKey().id();
  }

  @Override
  public List<String> wrappingKeyIds() {
    return opening.wrappingKeys().ids();
  }

  @Override
  public String wrapMechanism() {
    return KeyWrapping.MECHANISM;
  }

  @Override
  public boolean makes(KeySpec spec) {
    return opening.inSession(
        session -> KeyKind.of(spec.algorithm()).isOffered(session, opening.slotId()));
  }

  @Override
  public LiveKeyPair generateExtractable(KeySpec spec) {
    return opening.generateExtractable(spec);
  }

  @Override
  public LiveKeyPair generate(KeySpec spec) {
    return opening.generate(spec);
  }

  @Override
  public WrappedKey wrap(LiveKeyPair keyPair) {
    return opening.wrap(keyPair);
  }

  @Override
  public KeyHandle unwrap(WrappedKey key) {
    return opening.unwrap(key);
  }

  @Override
  public byte[] sign(
      KeyHandle key, SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest) {
    Signing.requireFits(key.spec(), scheme, digestAlgorithm, digest);
    return opening.sign(key, scheme, digestAlgorithm, digest);
  }

  @Override
  public void signed(boolean verifies) {
    state.result(CkFunction.C_SIGN, verifies, System.nanoTime());
  }

  @Override
  public Destruction destroy(KeyHandle key) {
    return opening.destroy(key);
  }

  @Override
  public List<KeyHandle> takeUndestroyed() {
    List<KeyHandle> taken = new ArrayList<>();
    for (KeyHandle key = undestroyed.poll(); key != null; key = undestroyed.poll()) {
      taken.add(key);
    }
    return taken;
  }

  @Override
  public long countLiveKeys() {
    return count(template -> template.with(Cka.CKA_CLASS, Ck.CKO_PRIVATE_KEY).no(Cka.CKA_TOKEN))
        - library.managedPrivateKeys(slotId()).get();
  }

  @Override
  public long countStrayTokenKeys(Set<String> known) {
    return opening.inSession(session -> TokenKeys.strays(session, known, wrappingKeyId()));
  }

  /** Returns the {@code CKA_ID}, as text, of each private key that outlives sessions. */
  public Set<String> tokenKeyIds() {
    return opening.inSession(TokenKeys::ids);
  }

  @Override
  public List<TokenData> data(String prefix) {
    return opening.inSession(session -> DataObjects.read(session, prefix));
  }

  @Override
  public void keepData(TokenData data) {
    boolean _ =
        opening.inReadWriteSession(session -> {
          DataObjects.keep(session, data);
          return true;
        });
  }

  @Override
  public void removeData(String name) {
    boolean _ =
        opening.inReadWriteSession(session -> {
          DataObjects.remove(session, name);
          return true;
        });
  }

  long count(Consumer<Template.Builder> condition) {
    return opening.inSession(session -> {
      AtomicLong count = new AtomicLong();
      try (Arena arena = Arena.ofConfined()) {
        Template.Builder template = Template.in(arena);
        condition.accept(template);
        ObjectSearch.forEach(session, template.build(), handle -> count.incrementAndGet());
      }
      return count.get();
    });
  }

  /** Reads attributes of a live key, to check that the device made it as requested. */
  <T> T inspect(long object, Function<ObjectAttributes, T> reader) {
    return opening.inSession(session -> reader.apply(new ObjectAttributes(session, object)));
  }

  /**
   * Closes the sessions, which destroys the keys that live in the device. Does not wait for calls
   * in progress: their sessions close when they return.
   */
  @Override
  public void close() {
    closed = true;
    reopening.close(opening);
  }
}
