package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.Epoch;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HSM behind a PKCS#11 module.
 *
 * <p>At most {@link Pkcs11Config#maxSessions()} calls run at a time, and one unwrap at a time. A
 * call that finds no session free waits 10 seconds at most, then fails with {@link
 * Reason#EXHAUSTED}. Virtual threads may call; they hold their carrier while the device works.
 *
 * <p>Other users of the same module in this process are left alone: this class neither finalises
 * the module nor logs out, and {@link #close} closes its own sessions only. The login counts for
 * all of them. {@link #countLiveKeys} counts the session keys of all of them, too.
 */
public final class Pkcs11Hsm implements Hsm {
  private static final Logger log = LoggerFactory.getLogger(Pkcs11Hsm.class);

  private final long slotId;
  private final long epoch = Epoch.next();
  private final Calls calls;
  private final DeviceState state;
  private final WrappingKey wrappingKey;
  // Whoever closes the session that made a key destroys that key. So one session makes all that
  // are unwrapped, whichever thread asked, and another use of it is not to put them at risk.
  private final SessionPool owner;
  private final SessionPool workers;
  private final Queue<KeyHandle> undestroyed = new ConcurrentLinkedQueue<>();
  private final KeyPairGeneration generation;
  private final KeyWrapping wrapping;
  private final Signing signing;
  private final StartupProof proof = new StartupProof(this);
  private final Arena templateMemory = Arena.ofAuto();
  private final Map<KeySpec, KeyTemplates> templates = new EnumMap<>(KeySpec.class);

  private Pkcs11Hsm(
      CryptokiLibrary library,
      long slotId,
      Calls calls,
      DeviceState state,
      WrappingKey wrappingKey,
      SessionPool owner,
      SessionPool workers) {
    this.slotId = slotId;
    this.calls = calls;
    this.state = state;
    this.wrappingKey = wrappingKey;
    this.owner = owner;
    this.workers = workers;
    Mechanisms mechanisms = new Mechanisms(library.brand());
    this.generation = new KeyPairGeneration(mechanisms, epoch, undestroyed::add);
    this.wrapping = new KeyWrapping(mechanisms, library.brand(), wrappingKey, epoch);
    this.signing = new Signing(mechanisms);
    for (KeySpec spec : KeySpec.values()) {
      templates.put(spec, KeyTemplates.of(spec, library.brand(), templateMemory));
    }
  }

  /**
   * Loads the module, finds the token, logs in, checks the wrapping key and proves with a
   * throw-away key that the device does what the pool needs.
   *
   * <p>The PIN is tried once. If the process is logged in to the token already, it is not tried at
   * all.
   *
   * @param pin the user's PIN; stays the caller's to close
   * @throws HsmException with {@link Reason#UNAVAILABLE} if the module cannot be loaded or the
   *     proof fails, {@link Reason#LOGIN_REFUSED} if the PIN is wrong, {@link
   *     Reason#NOT_BOOTSTRAPPED} if token or wrapping key are missing or not as they should be
   */
  public static Pkcs11Hsm open(Pkcs11Config config, Pin pin) {
    return open(config, pin, CallListener.NONE);
  }

  /**
   * As {@link #open(Pkcs11Config, Pin)}.
   *
   * @param listener is told of each call to the device, the proof's included
   */
  public static Pkcs11Hsm open(Pkcs11Config config, Pin pin, CallListener listener) {
    return open(
        CryptokiLibrary.load(config.module(), config.initializeParameters()),
        config,
        pin,
        listener);
  }

  static Pkcs11Hsm open(CryptokiLibrary library, Pkcs11Config config, Pin pin) {
    return open(library, config, pin, CallListener.NONE);
  }

  static Pkcs11Hsm open(
      CryptokiLibrary library, Pkcs11Config config, Pin pin, CallListener listener) {
    // One call for each session, and the looks at the slots before there is any.
    DeviceState state = new DeviceState();
    Calls calls = new Calls(config.maxSessions() + 2, state.andThen(listener));
    Functions functions = library.functions().with(calls);
    long slotId = new Slots(functions).require(config.tokenLabel()).slotId();
    List<Session> sessions = new ArrayList<>();
    try {
      Session owner = Session.open(functions, slotId);
      sessions.add(owner);
      owner.login(Ck.CKU_USER, pin);
      WrappingKey wrappingKey = WrappingKey.require(owner, config.wrappingKeyLabel());
      while (sessions.size() <= config.maxSessions()) {
        sessions.add(Session.open(functions, slotId));
      }
      Pkcs11Hsm hsm =
          new Pkcs11Hsm(
              library,
              slotId,
              calls,
              state,
              wrappingKey,
              pool(sessions.subList(0, 1), "sessions that unwrap"),
              pool(sessions.subList(1, sessions.size()), "maxSessions"));
      // Closing the sessions destroys what is not destroyed here.
      hsm.proof.run(hsm::destroy);
      if (!wrappingKey.bindsUnwraps()) {
        log.warn(
            "wrapping key {} has no CKA_UNWRAP_TEMPLATE: with the PIN, stored keys can be unwrapped"
                + " in clear; see docs/SECURITY.md",
            wrappingKey.id());
      }
      log.info(
          "opened token '{}' in slot {} ({}), wrapping key {}",
          config.tokenLabel(),
          slotId,
          library.brand(),
          wrappingKey.id());
      return hsm;
    } catch (RuntimeException e) {
      sessions.forEach(Session::close);
      throw e;
    }
  }

  private static SessionPool pool(List<Session> sessions, String limit) {
    return new SessionPool(sessions, limit, SessionPool.MAX_WAIT);
  }

  /** The slot of the token, for other users of the module: indexes into the slot list move. */
  public long slotId() {
    return slotId;
  }

  /** What its calls tell of it. */
  DeviceState state() {
    return state;
  }

  @Override
  public HsmHealth health() {
    return state.health(calls.inProgress(), Duration.ofNanos(calls.oldestNanos()));
  }

  @Override
  public boolean failsToSign() {
    return state.failsToSign();
  }

  @Override
  public void probe() {
    Session session = workers.borrow();
    try {
      session.requireUserLoggedIn();
      TokenInfo.read(session.functions(), slotId);
    } catch (HsmException e) {
      if (e.reason() == Reason.SESSION_LOST) {
        state.loginLost();
      }
      throw e;
    } finally {
      workers.giveBack(session);
    }
  }

  /** With the RSA-2048 key that {@link #open} made for it, unless it is generating that failed. */
  @Override
  public void prove(Function<KeyHandle, Destruction> destroyer) {
    if (state.failsToGenerate()) {
      proof.run(destroyer);
    } else {
      proof.runWithKnownKey(destroyer);
    }
  }

  @Override
  public String wrappingKeyId() {
    return wrappingKey.id();
  }

  @Override
  public String wrapMechanism() {
    return KeyWrapping.MECHANISM;
  }

  @Override
  public LiveKeyPair generateExtractable(KeySpec spec) {
    KeyTemplates of = templates(spec);
    return generate(spec, of.publicKey(), of.extractablePrivateKey());
  }

  @Override
  public LiveKeyPair generate(KeySpec spec) {
    KeyTemplates of = templates(spec);
    return generate(spec, of.publicKey(), of.privateKey());
  }

  private LiveKeyPair generate(KeySpec spec, Template publicKey, Template privateKey) {
    Session session = workers.borrow();
    try {
      return generation.generate(session, spec, publicKey, privateKey);
    } finally {
      workers.giveBack(session);
    }
  }

  @Override
  public WrappedKey wrap(LiveKeyPair keyPair) {
    requireCurrent(keyPair.privateKey());
    Session session = workers.borrow();
    try {
      return wrapping.wrap(session, keyPair);
    } finally {
      workers.giveBack(session);
    }
  }

  @Override
  public KeyHandle unwrap(WrappedKey key) {
    wrapping.requireOurs(key);
    Template template = templates(key.spec()).unwrappedKey();
    Session session = owner.borrow();
    try {
      return wrapping.unwrap(session, key, template);
    } finally {
      owner.giveBack(session);
    }
  }

  @Override
  public byte[] sign(
      KeyHandle key, SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest) {
    Signing.requireFits(key.spec(), scheme, digestAlgorithm, digest);
    requireCurrent(key);
    Session session = workers.borrow();
    try {
      return signing.sign(session, key, scheme, digestAlgorithm, digest);
    } finally {
      workers.giveBack(session);
    }
  }

  /**
   * INVARIANT: the device sees no handle but those of this epoch: what an earlier one numbered may
   * have the number of another key now.
   */
  private void requireCurrent(KeyHandle key) {
    if (key.epoch() != epoch) {
      throw new HsmException(Reason.KEY_GONE, "the key died with the sessions of its epoch");
    }
  }

  @Override
  public Destruction destroy(KeyHandle key) {
    if (key.epoch() != epoch) {
      return Destruction.EPOCH_ENDED;
    }
    Session session;
    try {
      session = workers.borrow();
    } catch (HsmException e) {
      log.warn("a key was not destroyed: {}", e.getMessage());
      return Destruction.NOT_CALLED;
    }
    try {
      long returned = session.functions().destroyObject(session.handle(), key.value());
      return returned == 0 ? Destruction.DONE : new Destruction(returned);
    } finally {
      workers.giveBack(session);
    }
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
    return count(template -> template.with(Cka.CKA_CLASS, Ck.CKO_PRIVATE_KEY).no(Cka.CKA_TOKEN));
  }

  long count(Consumer<Template.Builder> condition) {
    AtomicLong count = new AtomicLong();
    Session session = workers.borrow();
    try (Arena arena = Arena.ofConfined()) {
      Template.Builder template = Template.in(arena);
      condition.accept(template);
      ObjectSearch.forEach(session, template.build(), handle -> count.incrementAndGet());
    } finally {
      workers.giveBack(session);
    }
    return count.get();
  }

  WrappingKey wrappingKey() {
    return wrappingKey;
  }

  /** Reads attributes of a live key, to see that the device made it as it was told. */
  <T> T inspect(long object, Function<ObjectAttributes, T> reader) {
    Session session = workers.borrow();
    try {
      return reader.apply(new ObjectAttributes(session, object));
    } finally {
      workers.giveBack(session);
    }
  }

  private KeyTemplates templates(KeySpec spec) {
    KeyTemplates found = templates.get(spec);
    if (found == null) {
      throw new IllegalStateException("no templates for " + spec);
    }
    return found;
  }

  /**
   * Closes the sessions, and thereby destroys the keys that live in the device. Calls in progress
   * are not waited for: their sessions close when they return.
   */
  @Override
  public void close() {
    workers.close();
    owner.close();
  }
}
