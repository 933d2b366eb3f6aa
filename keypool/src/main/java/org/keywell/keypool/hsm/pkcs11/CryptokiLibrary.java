package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loaded and initialised PKCS#11 module.
 *
 * <p>{@code C_Initialize} applies to the whole process, and other users of the module, such as the
 * JDK's SunPKCS11, may share it. So each module has one instance, which stays loaded. Only {@link
 * #restart} finalises it, when no device of the process is open on it. The end of the process
 * releases it.
 */
final class CryptokiLibrary {
  private static final Logger log = LoggerFactory.getLogger(CryptokiLibrary.class);

  /** By real path. Guarded by this class. */
  private static final Map<Path, CryptokiLibrary> LOADED = new HashMap<>();

  private final String name;
  private final Optional<String> parameters;
  private final Functions functions;
  private final Brand brand;

  /** Other users hold it shared; a restart of the module holds it exclusively. */
  private final StampedLock use = new StampedLock();

  /** Openings whose sessions may be in use. */
  private final Set<Opening> inUse = ConcurrentHashMap.newKeySet();

  /** Lost openings whose sessions are no longer in use. */
  private final Set<Opening> ended = ConcurrentHashMap.newKeySet();

  private final List<ModuleUser> users = new CopyOnWriteArrayList<>();

  /** Whether anything in this process may have a session. */
  private volatile boolean used;

  /** By slot. */
  private final Map<Long, AtomicInteger> managedPrivateKeys = new ConcurrentHashMap<>();

  private CryptokiLibrary(String name, Functions functions, Optional<String> parameters) {
    this.name = name;
    this.functions = functions;
    this.parameters = parameters;
    initialize(functions);
    this.brand = CkInfo.brand(functions);
  }

  /** Returns the number of managed private keys that are in a token for a moment. */
  AtomicInteger managedPrivateKeys(long slotId) {
    return managedPrivateKeys.computeIfAbsent(slotId, _ -> new AtomicInteger());
  }

  /** Returns a separate library with functions that the caller provides. */
  static CryptokiLibrary of(Functions functions) {
    return new CryptokiLibrary("module", functions, Optional.empty());
  }

  /**
   * Loads the module if necessary, and makes sure that it is initialised.
   *
   * @throws HsmException with {@link Reason#UNAVAILABLE}, naming the module, if that fails
   */
  static synchronized CryptokiLibrary load(Path module, Optional<String> parameters) {
    Path real = realPath(module);
    CryptokiLibrary loaded = LOADED.get(real);
    if (loaded == null) {
      loaded =
          new CryptokiLibrary(
              module.toString(), new Functions(functionList(module, real)), parameters);
      LOADED.put(real, loaded);
    } else if (!loaded.parameters.equals(parameters)) {
      throw unavailable(module, "is initialised with other parameters in this process");
    } else {
      loaded.initialize(loaded.functions);
    }
    return loaded;
  }

  private static Path realPath(Path module) {
    try {
      return module.toRealPath();
    } catch (IOException e) {
      throw new HsmException(Reason.UNAVAILABLE, "PKCS#11 module " + module + " not found", e);
    }
  }

  static MemorySegment functionList(Path module, Path real) {
    MemoryLayout ckUlong = Linker.nativeLinker().canonicalLayouts().get("long");
    if (ckUlong == null || ckUlong.byteSize() != Long.BYTES) {
      throw unavailable(module, "needs a platform whose C long has 64 bits");
    }
    MemorySegment getFunctionList;
    try {
      getFunctionList =
          SymbolLookup.libraryLookup(real, Arena.global())
              .find("C_GetFunctionList")
              .orElseThrow(() -> unavailable(module, "has no C_GetFunctionList"));
    } catch (IllegalArgumentException e) {
      throw new HsmException(
          Reason.UNAVAILABLE,
          "PKCS#11 module "
              + module
              + " cannot be loaded: not a library, or one that it needs is"
              + " missing",
          e);
    }
    AddressLayout toList =
        ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(CkFunction.LIST_BYTES / 8, JAVA_LONG));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment list = arena.allocate(ADDRESS);
      ReturnValue.check("C_GetFunctionList", Downcall.call(getFunctionList, list));
      return list.get(toList, 0);
    }
  }

  private void initialize(Functions told) {
    try (Arena arena = Arena.ofConfined()) {
      // CK_C_INITIALIZE_ARGS: four mutex functions, flags, pReserved. NSS has LibraryParameters
      // before pReserved, at the very place where others have pReserved, which must be NULL.
      MemorySegment arguments = arena.allocate(56, 8);
      arguments.set(JAVA_LONG, 32, Ck.CKF_OS_LOCKING_OK);
      parameters.ifPresent(text -> arguments.set(ADDRESS, 40, arena.allocateFrom(text)));
      long returned = told.initialize(arguments);
      if (!ReturnValue.CKR_CRYPTOKI_ALREADY_INITIALIZED.is(returned) && returned != 0) {
        throw new HsmException(
            Reason.UNAVAILABLE,
            returned,
            "C_Initialize of " + name + " returned " + ReturnValue.name(returned));
      }
    }
  }

  private static HsmException unavailable(Path module, String what) {
    return new HsmException(Reason.UNAVAILABLE, "PKCS#11 module " + module + " " + what);
  }

  Functions functions() {
    return functions;
  }

  Brand brand() {
    return brand;
  }

  /** Returns the lock that other users of the module hold while they call it. */
  Lock sharedUse() {
    return use.asReadLock();
  }

  /** Returns the lock to hold for {@link #restart}. */
  Lock aloneUse() {
    return use.asWriteLock();
  }

  void add(ModuleUser user) {
    used = true;
    users.add(user);
  }

  /** Records that calls may now be in progress in this opening's sessions. */
  void enter(Opening opening) {
    used = true;
    inUse.add(opening);
  }

  /**
   * Ends all openings of this process on a token that nobody is logged in to. Call it before
   * logging in: afterwards, new sessions would look as if they shared the old login.
   */
  void loginIsGone(long slotId) {
    for (Opening opening : inUse) {
      if (opening.slotId() == slotId) {
        opening.lose("nobody is logged in to the token any more");
      }
    }
  }

  /** Records that no call is in progress in this opening's sessions, and none will be. */
  void leave(Opening opening) {
    ended.add(opening);
    inUse.remove(opening);
  }

  /** Records that this opening's sessions are closed. */
  void forget(Opening opening) {
    inUse.remove(opening);
    ended.remove(opening);
  }

  /** Records that a token was made, for others to use. */
  void tokenIsMade() {
    used = true;
  }

  /**
   * Has the module read its tokens again, unless something in this process may use it.
   *
   * @return whether it has
   */
  boolean readTokensAgain() {
    Lock alone = aloneUse();
    alone.lock();
    try {
      return !used && restart(functions);
    } finally {
      alone.unlock();
    }
  }

  /**
   * Finalises and reinitialises the module. If sessions with it may be in use, only makes sure that
   * it is initialised. Call it with {@link #aloneUse} held.
   *
   * @param told the module's functions, which report their calls to the requesting device
   * @return whether the module was finalised
   * @throws HsmException with {@link Reason#UNAVAILABLE} if it cannot be initialised
   */
  boolean restart(Functions told) {
    boolean alone = inUse.isEmpty();
    if (alone) {
      users.forEach(ModuleUser::retire);
      // INVARIANT: sessions that end here are not closed afterwards: their numbers will be others'.
      ended.forEach(Opening::sessionsAreGone);
      ended.clear();
      long returned = told.finalizeModule();
      if (returned != 0 && !ReturnValue.CKR_CRYPTOKI_NOT_INITIALIZED.is(returned)) {
        log.warn("C_Finalize of {} returned {}", name, ReturnValue.name(returned));
      }
    }
    initialize(told);
    return alone;
  }
}
