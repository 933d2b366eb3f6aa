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
import java.util.Map;
import java.util.Optional;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * A PKCS#11 module that is loaded and initialised.
 *
 * <p>{@code C_Initialize} counts for the whole process, and other users of the module, such as
 * SunPKCS11, share it. So a module stays loaded and is never finalised: {@code C_Finalize} would
 * take the sessions and logins of those others away. The end of the process releases it.
 */
final class CryptokiLibrary {
  /** By real path, with the parameters that each was initialised with. Guarded by this class. */
  private static final Map<Path, Loaded> LOADED = new HashMap<>();

  private record Loaded(Functions functions, Optional<String> parameters) {}

  private final Functions functions;
  private final Brand brand;

  private CryptokiLibrary(Functions functions) {
    this.functions = functions;
    this.brand = CkInfo.brand(functions);
  }

  /** A library whose functions, already initialised, the caller provides. */
  static CryptokiLibrary of(Functions functions) {
    return new CryptokiLibrary(functions);
  }

  /**
   * Loads the module if it is not yet, and makes sure that it is initialised.
   *
   * @throws HsmException with {@link Reason#UNAVAILABLE}, naming the module, if that fails
   */
  static CryptokiLibrary load(Path module, Optional<String> parameters) {
    return new CryptokiLibrary(initialized(module, parameters));
  }

  private static synchronized Functions initialized(Path module, Optional<String> parameters) {
    Path real = realPath(module);
    Loaded loaded = LOADED.get(real);
    if (loaded != null && !loaded.parameters().equals(parameters)) {
      throw unavailable(module, "is initialised with other parameters in this process");
    }
    Functions functions =
        loaded != null ? loaded.functions() : new Functions(functionList(module, real));
    initialize(module, functions, parameters);
    LOADED.put(real, new Loaded(functions, parameters));
    return functions;
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

  private static void initialize(Path module, Functions functions, Optional<String> parameters) {
    try (Arena arena = Arena.ofConfined()) {
      // CK_C_INITIALIZE_ARGS: four mutex functions, flags, pReserved. NSS has LibraryParameters
      // before pReserved, at the very place where the others have pReserved, which is to be NULL.
      MemorySegment arguments = arena.allocate(56, 8);
      arguments.set(JAVA_LONG, 32, Ck.CKF_OS_LOCKING_OK);
      parameters.ifPresent(text -> arguments.set(ADDRESS, 40, arena.allocateFrom(text)));
      long returned = functions.initialize(arguments);
      if (!ReturnValue.CKR_CRYPTOKI_ALREADY_INITIALIZED.is(returned) && returned != 0) {
        throw new HsmException(
            Reason.UNAVAILABLE,
            returned,
            "C_Initialize of " + module + " returned " + ReturnValue.name(returned));
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
}
