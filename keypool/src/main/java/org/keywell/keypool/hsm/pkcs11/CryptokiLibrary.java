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
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.StampedLock;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PKCS#11 module that is loaded and initialised.
 *
 * <p>{@code C_Initialize} counts for the whole process, and other users of the module, such as
 * SunPKCS11, share it. So there is one of these for a module, it stays loaded, and it is finalised
 * only by {@link #restart}, when no device of the process is open on it. The end of the process
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

  /** Other users share it; whoever restarts the module has it alone. */
  private final StampedLock use = new StampedLock();

  /** Those whose sessions may be in use. */
  private final Set<Opening> inUse = ConcurrentHashMap.newKeySet();

  /** Those that are lost, and whose sessions nobody uses any more. */
  private final Set<Opening> ended = ConcurrentHashMap.newKeySet();

  private final List<ModuleUser> users = new CopyOnWriteArrayList<>();

  private CryptokiLibrary(String name, Functions functions, Optional<String> parameters) {
    this.name = name;
    this.functions = functions;
    this.parameters = parameters;
    initialize(functions);
    this.brand = CkInfo.brand(functions);
  }

  /** A library of its own whose functions the caller provides. */
  static CryptokiLibrary of(Functions functions) {
    return new CryptokiLibrary("module", functions, Optional.empty());
  }

  /**
   * Loads the module if it is not yet, and makes sure that it is initialised.
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
      // before pReserved, at the very place where the others have pReserved, which is to be NULL.
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

  /** To be held by other users of the module while they call it. */
  Lock sharedUse() {
    return use.asReadLock();
  }

  /** To be held for {@link #restart}. */
  Lock aloneUse() {
    return use.asWriteLock();
  }

  void add(ModuleUser user) {
    users.add(user);
  }

  /** From now on calls may be in progress in sessions of this opening. */
  void enter(Opening opening) {
    inUse.add(opening);
  }

  /**
   * Nobody is logged in to the token: whatever this process had opened of it is lost. To be called
   * before somebody logs in, which would make new sessions look as if they shared the old login.
   */
  void loginIsGone(long slotId) {
    for (Opening opening : inUse) {
      if (opening.slotId() == slotId) {
        opening.lose("nobody is logged in to the token any more");
      }
    }
  }

  /** No call is in progress in sessions of this opening, and none will be. */
  void leave(Opening opening) {
    ended.add(opening);
    inUse.remove(opening);
  }

  /** The sessions of this opening are closed. */
  void forget(Opening opening) {
    inUse.remove(opening);
    ended.remove(opening);
  }

  /**
   * Finalises the module and initialises it again, unless sessions with it may be in use; then it
   * only sees to it that the module is initialised. To be called with {@link #aloneUse} held.
   *
   * @param told the module's functions, whose calls are told to the device that asks
   * @return whether the module was finalised
   * @throws HsmException with {@link Reason#UNAVAILABLE} if it cannot be initialised
   */
  boolean restart(Functions told) {
    boolean alone = inUse.isEmpty();
    if (alone) {
      users.forEach(ModuleUser::retire);
      // INVARIANT: what finalising takes away is not closed afterwards: its numbers are others'.
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
