package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.Epoch;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A token from login to the loss of its sessions: the sessions, the wrapping keys' handles, and the
 * epoch of the keys made in it. Thread-safe.
 */
final class Opening {
  private static final Logger log = LoggerFactory.getLogger(Opening.class);

  /** Time for threads that waited for a session at the loss to give it back unused. */
  private static final Duration LAST_WAITERS = Duration.ofSeconds(1);

  private final long epoch = Epoch.next();
  private final TokenInfo token;
  private final Sessions sessions;
  private final KeyPairGeneration generation;
  private final KeyWrapping wrapping;
  private final Signing signing;
  private final Arena templateMemory = Arena.ofAuto();
  private final Map<KeySpec, KeyTemplates> templates = new EnumMap<>(KeySpec.class);
  private final String wrappingKeyLabel;

  /** Guarded by this; what is used of it is replaced. */
  private List<WrappingKey> found;

  private WrappingKeyChoice choice = WrappingKeyChoice.NONE;
  private volatile WrappingKeys wrappingKeys;

  /** Called once when an opening is lost, on the thread that noticed. Must not throw. */
  @FunctionalInterface
  interface LossListener {
    void lost(Opening opening, String why);
  }

  private Opening(
      Brand brand,
      Functions functions,
      TokenInfo token,
      String wrappingKeyLabel,
      List<WrappingKey> found,
      List<Session> owners,
      List<Session> workers,
      Consumer<KeyHandle> undestroyed,
      LossListener onLoss) {
    this.token = token;
    this.wrappingKeyLabel = wrappingKeyLabel;
    this.found = List.copyOf(found);
    this.wrappingKeys = WrappingKeys.chosen(found, choice);
    this.sessions =
        new Sessions(functions, slotId(), owners, workers, why -> onLoss.lost(this, why));
    Mechanisms mechanisms = new Mechanisms(brand);
    this.generation = new KeyPairGeneration(mechanisms, epoch, undestroyed);
    this.wrapping = new KeyWrapping(mechanisms, brand, () -> wrappingKeys, epoch);
    this.signing = new Signing(mechanisms);
    for (KeySpec spec : KeySpec.values()) {
      templates.put(spec, KeyTemplates.of(spec, brand, templateMemory));
    }
  }

  /**
   * Opens the sessions, logs in, in one attempt, and finds the wrapping key.
   *
   * @param undestroyed receives keys that a call leaves behind
   */
  static Opening of(
      CryptokiLibrary library,
      Functions functions,
      Pkcs11Config config,
      Pin pin,
      Consumer<KeyHandle> undestroyed,
      LossListener onLoss) {
    TokenInfo token = new Slots(functions).require(config.tokenLabel());
    long slotId = token.slotId();
    List<Session> sessions = new ArrayList<>();
    try {
      Session owner = Session.open(functions, slotId);
      sessions.add(owner);
      if (!owner.isUserLoggedIn()) {
        library.loginIsGone(slotId);
      }
      owner.login(Ck.CKU_USER, pin);
      while (sessions.size() < config.unwrapSessions() + config.maxSessions()) {
        sessions.add(Session.open(functions, slotId));
      }
      // Not in one that owns keys: a search that fails may stay active in it.
      List<WrappingKey> found =
          WrappingKey.requireGenerations(sessions.getLast(), config.wrappingKeyLabel());
      List<Session> owners = sessions.subList(0, config.unwrapSessions());
      List<Session> workers = sessions.subList(owners.size(), sessions.size());
      return new Opening(
          library.brand(),
          functions,
          token,
          config.wrappingKeyLabel(),
          found,
          owners,
          workers,
          undestroyed,
          onLoss);
    } catch (RuntimeException e) {
      sessions.forEach(Session::close);
      throw e;
    }
  }

  long epoch() {
    return epoch;
  }

  long slotId() {
    return token.slotId();
  }

  String tokenId() {
    return token.id();
  }

  String model() {
    return (token.manufacturer() + " " + token.model()).replace("\0", "").strip();
  }

  /** Returns the one that wraps. */
  WrappingKey wrappingKey() {
    return wrappingKeys.wraps();
  }

  /** Returns those that are used. */
  WrappingKeys wrappingKeys() {
    return wrappingKeys;
  }

  /** Returns the ids of all that were found in the token, used or not, oldest first. */
  synchronized List<String> foundWrappingKeyIds() {
    return found.stream().map(WrappingKey::id).toList();
  }

  /** Uses the wrapping keys that were found as chosen. Makes no call. */
  synchronized void use(WrappingKeyChoice chosen) {
    choice = chosen;
    wrappingKeys = WrappingKeys.chosen(found, chosen);
  }

  /** Looks for the wrapping keys again: another process may have made or destroyed some. */
  void lookForWrappingKeys() {
    List<WrappingKey> now =
        sessions.onWorker(session -> WrappingKey.requireGenerations(session, wrappingKeyLabel));
    synchronized (this) {
      found = now;
      wrappingKeys = WrappingKeys.chosen(now, choice);
    }
  }

  boolean isLost() {
    return sessions.areLost();
  }

  /** Ends the epoch: no further call starts, and no handle of it is accepted. */
  void lose(String why) {
    sessions.lose(why);
  }

  /** Waits, after the loss, for calls to end. Returns whether all did within that time. */
  boolean awaitEndOfCalls(Duration maxWait) {
    return sessions.awaitAll(maxWait).isPresent();
  }

  /** Records that the module has ended the sessions. Call it after the end of calls. */
  void sessionsAreGone() {
    sessions.awaitAll(LAST_WAITERS).orElseThrow().forEach(Session::gone);
  }

  /** See {@link Sessions#close}. */
  boolean close() {
    return sessions.close();
  }

  LiveKeyPair generateExtractable(KeySpec spec) {
    KeyTemplates of = templates(spec);
    return sessions.onWorker(
        session -> generation.generate(session, spec, of.publicKey(), of.extractablePrivateKey()));
  }

  LiveKeyPair generate(KeySpec spec) {
    KeyTemplates of = templates(spec);
    return sessions.onWorker(
        session -> generation.generate(session, spec, of.publicKey(), of.privateKey()));
  }

  WrappedKey wrap(LiveKeyPair keyPair) {
    requireMine(keyPair.privateKey());
    return sessions.onWorker(session -> wrapping.wrap(session, keyPair));
  }

  KeyHandle unwrap(WrappedKey key) {
    wrapping.requireOurs(key);
    Template template = templates(key.spec()).unwrappedKey();
    return sessions.onOwner(session -> wrapping.unwrap(session, key, template));
  }

  byte[] sign(
      KeyHandle key, SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest) {
    requireMine(key);
    Session session = begun(key, scheme, digestAlgorithm);
    try {
      return signing.complete(session, key, scheme, digestAlgorithm, digest);
    } catch (HsmException e) {
      sessions.failed(session, e);
      throw e;
    } finally {
      sessions.giveBack(session);
    }
  }

  /**
   * Returns a session in which the key is about to sign. If it turns out to be gone before that,
   * the key has not signed and is not spent: this tries again in a new session.
   */
  private Session begun(KeyHandle key, SignatureScheme scheme, DigestAlgorithm digestAlgorithm) {
    Session session = sessions.borrow();
    boolean begun = false;
    try {
      for (boolean again = true; !begun; again = false) {
        begun = begins(session, key, scheme, digestAlgorithm, again);
        session = begun ? session : sessions.replaced(session);
      }
      return session;
    } finally {
      if (!begun) {
        sessions.giveBack(session);
      }
    }
  }

  /** Returns false if the session is gone and another may be tried. */
  private boolean begins(
      Session session,
      KeyHandle key,
      SignatureScheme scheme,
      DigestAlgorithm digestAlgorithm,
      boolean mayBeGone) {
    try {
      signing.begin(session, key, scheme, digestAlgorithm);
      return true;
    } catch (HsmException e) {
      sessions.failed(session, e);
      if (mayBeGone && session.isGone()) {
        return false;
      }
      throw e;
    }
  }

  Destruction destroy(KeyHandle key) {
    if (key.epoch() != epoch || isLost()) {
      return Destruction.EPOCH_ENDED;
    }
    try {
      long returned = destroyNow(key);
      return returned == 0 ? Destruction.DONE : new Destruction(returned);
    } catch (HsmException e) {
      log.warn("a key was not destroyed: {}", e.getMessage());
      return isLost() ? Destruction.EPOCH_ENDED : Destruction.NOT_CALLED;
    }
  }

  private long destroyNow(KeyHandle key) {
    Session session = sessions.borrow();
    try {
      long returned = destroyIn(session, key);
      if (session.isGone()) {
        session = sessions.replaced(session);
        returned = destroyIn(session, key);
      }
      return returned;
    } finally {
      sessions.giveBack(session);
    }
  }

  private long destroyIn(Session session, KeyHandle key) {
    long returned = session.functions().destroyObject(session.handle(), key.value());
    if (returned != 0) {
      sessions.failed(session, ReturnValue.exception("C_DestroyObject", returned));
    }
    return returned;
  }

  /**
   * Checks that the idle sessions that own keys, the next of the others and the token are there.
   */
  void probe() {
    for (int i = 0; i < sessions.owners(); i++) {
      sessions.onOwner(session -> {
        session.requireUserLoggedIn();
        return session;
      });
    }
    sessions.onWorker(session -> {
      session.requireUserLoggedIn();
      return TokenInfo.read(session.functions(), slotId());
    });
  }

  /** Runs work in a session that can create and destroy token objects, opened for it. */
  <T> T inReadWriteSession(Function<Session, T> work) {
    return sessions.onWorker(session -> {
      try (Session writing = Session.openReadWrite(session.functions(), slotId())) {
        return work.apply(writing);
      }
    });
  }

  /** Runs work in a session. */
  <T> T inSession(Function<Session, T> work) {
    return sessions.onWorker(work);
  }

  /**
   * INVARIANT: the device sees only handles of this epoch: a handle of an earlier one may be the
   * number of another key now.
   */
  private void requireMine(KeyHandle key) {
    if (key.epoch() != epoch) {
      throw new HsmException(Reason.KEY_GONE, "the key died with the sessions of its epoch");
    }
  }

  KeyTemplates templates(KeySpec spec) {
    return Objects.requireNonNull(templates.get(spec));
  }
}
