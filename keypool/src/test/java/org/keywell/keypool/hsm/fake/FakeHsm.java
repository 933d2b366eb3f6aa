package org.keywell.keypool.hsm.fake;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
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
import org.keywell.keypool.hsm.TokenData;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * An {@link Hsm} in memory, with real keys, real wrapping, and {@link Faults} that tests switch.
 * Thread-safe. Its fastest keys are those of {@link KeySpec#EC_P256}.
 */
public final class FakeHsm implements Hsm {
  private static final String MECHANISM = "AES-KWP";
  private static final long CKR_KEY_HANDLE_INVALID = 0x60;
  private static final long CKR_KEY_UNEXTRACTABLE = 0x6A;
  private static final long CKR_OBJECT_HANDLE_INVALID = 0x82;

  private static final int WRONG_SIGNATURES = 5;

  private record LiveKey(PrivateKey key, boolean extractable) {}

  /** Oldest first; the last one wraps. */
  private final List<SecretKey> wrappingKeys = new CopyOnWriteArrayList<>();

  private final String tokenId;
  private final Faults faults = new Faults();
  private final Map<Long, LiveKey> live = new ConcurrentHashMap<>();
  private final Queue<KeyHandle> leftBehind = new ConcurrentLinkedQueue<>();
  private final Queue<String> tokenKeys = new ConcurrentLinkedQueue<>();
  private final Map<String, TokenData> tokenData = new ConcurrentHashMap<>();
  private final AtomicInteger wrongInARow = new AtomicInteger();
  private final AtomicLong lastHandle = new AtomicLong();
  private final long openedNanos = System.nanoTime();
  private volatile long epoch = Epoch.next();
  private volatile boolean lost;
  private volatile boolean sessionsLost;
  private volatile boolean reopeningFailed;
  private volatile Runnable onLoss = () -> {};
  private volatile boolean closed;
  private volatile boolean fullToUnwrap;
  private volatile boolean fullToGenerate;

  /** A device with a new wrapping key. */
  public FakeHsm() {
    this(newWrappingKey());
  }

  private FakeHsm(SecretKey wrappingKey) {
    this.wrappingKeys.add(wrappingKey);
    this.tokenId = "token of " + id(wrappingKey);
  }

  /** As good as random, and tells nothing of the key: a hash is all that is shown. */
  private static String id(SecretKey wrappingKey) {
    return "fake:" + HexFormat.of().toHexDigits(Arrays.hashCode(wrappingKey.getEncoded()));
  }

  private static SecretKey newWrappingKey() {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    return new SecretKeySpec(key, "AES");
  }

  /**
   * The device after a restart, or another one with the same wrapping key: no key is live, no fault
   * is set.
   */
  public FakeHsm restarted() {
    return new FakeHsm(wrappingKeys.getLast());
  }

  /** Has another wrapping key follow, which wraps from now on. */
  public void followWrappingKey() {
    wrappingKeys.add(newWrappingKey());
  }

  /** Gives all wrapping keys up but the one that wraps. */
  public void withdrawOldWrappingKeys() {
    wrappingKeys.removeIf(key -> !key.equals(wrappingKeys.getLast()));
  }

  /** The switches of this device. */
  public Faults faults() {
    return faults;
  }

  @Override
  public String tokenId() {
    return tokenId;
  }

  @Override
  public String wrappingKeyId() {
    return id(wrappingKeys.getLast());
  }

  @Override
  public List<String> wrappingKeyIds() {
    return wrappingKeys.stream().map(FakeHsm::id).toList();
  }

  @Override
  public String wrapMechanism() {
    return MECHANISM;
  }

  @Override
  public boolean makes(KeySpec spec) {
    return true;
  }

  @Override
  public LiveKeyPair generateExtractable(KeySpec spec) {
    enterToGenerate(Operation.GENERATE_EXTRACTABLE);
    return generate(spec, true);
  }

  @Override
  public LiveKeyPair generate(KeySpec spec) {
    enterToGenerate(Operation.GENERATE);
    return generate(spec, false);
  }

  private LiveKeyPair generate(KeySpec spec, boolean extractable) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(spec.algorithm().jcaName());
      switch (spec.algorithm()) {
        case RSA -> generator.initialize(spec.bits());
        case EC -> generator.initialize(new ECGenParameterSpec("secp" + spec.bits() + "r1"));
        case ML_DSA -> generator.initialize(new NamedParameterSpec(spec.label()));
      }
      KeyPair pair = generator.generateKeyPair();
      return new LiveKeyPair(
          keep(spec, pair.getPrivate(), extractable), pair.getPublic().getEncoded());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private KeyHandle keep(KeySpec spec, PrivateKey key, boolean extractable) {
    long handle = lastHandle.incrementAndGet();
    live.put(handle, new LiveKey(key, extractable));
    return new KeyHandle(epoch, handle, spec);
  }

  private LiveKey require(KeyHandle handle) {
    LiveKey key = handle.epoch() == epoch ? live.get(handle.value()) : null;
    if (key == null) {
      throw new HsmException(Reason.KEY_GONE, CKR_KEY_HANDLE_INVALID, "no such key");
    }
    return key;
  }

  @Override
  public WrappedKey wrap(LiveKeyPair keyPair) {
    enter(Operation.WRAP);
    LiveKey key = require(keyPair.privateKey());
    if (!key.extractable()) {
      throw new HsmException(Reason.FAILED, CKR_KEY_UNEXTRACTABLE, "key is not extractable");
    }
    try {
      Cipher cipher = Cipher.getInstance("AES/KWP/NoPadding");
      cipher.init(Cipher.WRAP_MODE, wrappingKeys.getLast());
      byte[] blob = cipher.wrap(key.key());
      if (faults.spoilsWraps()) {
        blob[blob.length / 2] ^= 1;
      }
      return new WrappedKey(
          keyPair.privateKey().spec(), wrappingKeyId(), MECHANISM, keyPair.publicKey(), blob);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public KeyHandle unwrap(WrappedKey key) {
    enterToUnwrap();
    if (!key.wrapMechanism().equals(MECHANISM)) {
      throw new HsmException(Reason.UNSUPPORTED, "unknown mechanism " + key.wrapMechanism());
    }
    SecretKey wrappingKey =
        wrappingKeys.stream()
            .filter(each -> id(each).equals(key.wrappingKeyId()))
            .findFirst()
            .orElseThrow(() ->
                new HsmException(Reason.WRAPPED_KEY_INVALID, "key of " + key.wrappingKeyId()));
    try {
      Cipher cipher = Cipher.getInstance("AES/KWP/NoPadding");
      cipher.init(Cipher.UNWRAP_MODE, wrappingKey);
      Key unwrapped =
          cipher.unwrap(
              key.wrappedPrivateKey(), key.spec().algorithm().jcaName(), Cipher.PRIVATE_KEY);
      return keep(key.spec(), (PrivateKey) unwrapped, false);
    } catch (InvalidKeyException | NoSuchAlgorithmException | IllegalArgumentException e) {
      throw new HsmException(faults.answerToDamage(), "does not unwrap", e);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public byte[] sign(
      KeyHandle key, SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest) {
    if (!scheme.fits(key.spec())) {
      throw new IllegalArgumentException(scheme + " does not fit " + key.spec());
    }
    if (!scheme.signsMessages() && digest.length != digestAlgorithm.lengthBytes()) {
      throw new IllegalArgumentException("digest has " + digest.length + " bytes");
    }
    enter(Operation.SIGN);
    try {
      long call = faults.calls(Operation.SIGN);
      byte[] signature = SoftwareSigner.sign(require(key).key(), scheme, digestAlgorithm, digest);
      if (faults.garbles(call)) {
        signature[signature.length - 1] ^= 1;
      }
      return signature;
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** As many wrong ones in a row bring it down as bring down a device behind PKCS#11. */
  @Override
  public void signed(boolean verifies) {
    if (wrongInARow.updateAndGet(before -> verifies ? 0 : before + 1) >= WRONG_SIGNATURES) {
      faults.down("signatures that do not verify");
    }
  }

  @Override
  public Destruction destroy(KeyHandle key) {
    if (key.epoch() != epoch || lost) {
      return Destruction.EPOCH_ENDED;
    }
    try {
      enter(Operation.DESTROY);
    } catch (HsmException e) {
      return lost ? Destruction.EPOCH_ENDED : Destruction.NOT_CALLED;
    }
    long returned = faults.destroyReturns();
    if (returned != 0) {
      return new Destruction(returned);
    }
    return live.remove(key.value()) == null
        ? new Destruction(CKR_OBJECT_HANDLE_INVALID)
        : Destruction.DONE;
  }

  /** As if a call that failed had made this key. */
  public void leaveBehind(KeyHandle key) {
    leftBehind.add(key);
  }

  @Override
  public List<KeyHandle> takeUndestroyed() {
    List<KeyHandle> taken = List.copyOf(leftBehind);
    leftBehind.removeAll(taken);
    return taken;
  }

  @Override
  public long countLiveKeys() {
    enter(Operation.COUNT_LIVE_KEYS);
    return live.size();
  }

  /** As if somebody had made a private key as a token object. */
  public void putOnToken(String label) {
    tokenKeys.add(label);
  }

  @Override
  public long countStrayTokenKeys(Set<String> known) {
    enter(Operation.COUNT_LIVE_KEYS);
    return tokenKeys.size() - known.stream().filter(tokenKeys::contains).count();
  }

  /** Down while {@link Faults#down} or {@link Faults#hung} says so, or its epoch has ended. */
  @Override
  public List<TokenData> data(String prefix) {
    return tokenData.values().stream().filter(data -> data.name().startsWith(prefix)).toList();
  }

  @Override
  public void keepData(TokenData data) {
    enter(Operation.KEEP_DATA);
    tokenData.put(data.name(), data);
  }

  @Override
  public void removeData(String name) {
    tokenData.remove(name);
  }

  @Override
  public HsmHealth health() {
    Optional<HsmHealth.Failure> down =
        lost
            ? Optional.of(new HsmHealth.Failure("sessions lost", 1, openedNanos, openedNanos))
            : faults.down();
    HsmHealth.State state =
        closed || faults.down().isPresent() || reopeningFailed
            ? HsmHealth.State.DOWN
            : lost ? HsmHealth.State.REOPENING : HsmHealth.State.UP;
    boolean hung = faults.isHung();
    return new HsmHealth(
        hung ? HsmHealth.State.DOWN : state,
        hung,
        !closed && !lost,
        openedNanos,
        down,
        down,
        hung ? 1 : 0,
        Duration.ZERO);
  }

  @Override
  public boolean failsToSign() {
    return lost || faults.isHung() || faults.down().isPresent();
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public void lose(long ofEpoch, String why) {
    if (ofEpoch == epoch && !lost) {
      lost = true;
      onLoss.run();
    }
  }

  /** The device loses its sessions, and with them its keys: the next call finds out. */
  public void loseSessions() {
    sessionsLost = true;
    live.clear();
  }

  /** The device loses its keys and nothing else, as one that takes another's place does. */
  public void loseKeys() {
    live.clear();
  }

  @Override
  public void onLoss(Runnable listener) {
    onLoss = listener;
  }

  /** Its keys are numbered from the first one again, as real devices do that. */
  @Override
  public synchronized void reopen() {
    lose(epoch, "it is to be reopened");
    try {
      faults.enter(Operation.REOPEN);
    } catch (HsmException e) {
      reopeningFailed = true;
      throw e;
    }
    if (closed) {
      throw new HsmException(Reason.SESSION_LOST, "the HSM was closed");
    }
    live.clear();
    lastHandle.set(0);
    epoch = Epoch.next();
    sessionsLost = false;
    reopeningFailed = false;
    lost = false;
  }

  @Override
  public boolean isFullToUnwrap() {
    return fullToUnwrap;
  }

  @Override
  public boolean isFullToGenerate() {
    return fullToGenerate;
  }

  @Override
  public void probe() {
    enter(Operation.PROBE);
  }

  @Override
  public void prove(Function<KeyHandle, Destruction> destroyer) {
    LiveKeyPair pair = generateExtractable(KeySpec.EC_P256);
    WrappedKey wrapped;
    try {
      wrapped = wrap(pair);
    } finally {
      var _ = destroyer.apply(pair.privateKey());
    }
    KeyHandle unwrapped = unwrap(wrapped);
    try {
      sign(unwrapped, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]);
    } finally {
      var _ = destroyer.apply(unwrapped);
    }
    wrongInARow.set(0);
    faults.up();
  }

  private void enterToGenerate(Operation operation) {
    try {
      enter(operation);
      fullToGenerate = false;
    } catch (HsmException e) {
      fullToGenerate |= e.reason() == Reason.FULL;
      throw e;
    }
  }

  private void enterToUnwrap() {
    try {
      enter(Operation.UNWRAP);
      fullToUnwrap = false;
    } catch (HsmException e) {
      fullToUnwrap |= e.reason() == Reason.FULL;
      throw e;
    }
  }

  private void enter(Operation operation) {
    faults.enter(operation);
    if (sessionsLost) {
      lose(epoch, "sessions lost");
    }
    if (closed || lost) {
      throw new HsmException(
          Reason.SESSION_LOST, closed ? "the HSM was closed" : "the HSM's sessions were lost");
    }
  }

  @Override
  public void close() {
    closed = true;
    live.clear();
  }
}
