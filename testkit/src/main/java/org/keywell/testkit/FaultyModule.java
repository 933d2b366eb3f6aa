package org.keywell.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.keywell.testkit.ControlFile.Word;

/**
 * An HSM that fails on command: a PKCS#11 module in front of its own SoftHSM, with its own tokens.
 * Several work in one process without affecting each other.
 *
 * <p>Use {@link #path} as the module, in this process or in one that is started with it. Commands
 * take effect from the next call on, wherever the module is loaded. Functions are named as in
 * PKCS#11, such as {@code C_Sign}. Thread-safe.
 */
public final class FaultyModule implements AutoCloseable {

  private final Path module;
  private final ControlFile control;

  private FaultyModule(Path module) throws IOException {
    this.module = module;
    this.control = ControlFile.open(beside(module, ".control"), FaultySource.FUNCTIONS.size());
  }

  /**
   * Creates a module without tokens or faults.
   *
   * @param directory for its files and those of its tokens; created if missing
   */
  public static FaultyModule create(Path directory) {
    RealPart.SOFTHSM.inUse();
    Path home = directory.toAbsolutePath();
    try {
      Files.createDirectories(home.resolve("tokens"));
      Path configuration = home.resolve("softhsm2.conf");
      Files.writeString(configuration, SoftHsm2.configurationFor(home.resolve("tokens")));
      // A library file is initialised once per process, so each device has its own file.
      Path target = Files.copy(Modules.softHsm(), home.resolve("libsofthsm2.so"));
      Path module = Files.copy(FaultySource.library(), home.resolve("faulty-pkcs11.so"));
      Files.writeString(
          beside(module, ".conf"),
          "module=%s\nSOFTHSM2_CONF=%s\n".formatted(target, configuration));
      return new FaultyModule(module);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a module that {@link #create} made, here or in another process. */
  public static FaultyModule at(Path module) {
    try {
      return new FaultyModule(module);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path beside(Path module, String suffix) {
    return module.resolveSibling(module.getFileName() + suffix);
  }

  /** Returns the path of the PKCS#11 module. */
  public Path path() {
    return module;
  }

  /** Injects a fault into a function's calls, in place of an earlier one. */
  public void inject(String function, Fault fault) {
    control.set(number(function), fault);
  }

  /** Clears a function's fault; its hanging calls resume. */
  public void clear(String function) {
    control.clear(number(function));
  }

  /** Invalidates the current session handles and destroys what was made in those sessions. */
  public void forgetSessions() {
    control.increment(Word.FORGET_SESSIONS);
  }

  /**
   * As {@link #forgetSessions}, and restarts the numbering of handles: sooner or later, an old
   * handle is the number of another key.
   */
  public void failOver() {
    control.increment(Word.FAIL_OVER);
  }

  /** Destroys the current session objects; sessions and login stay. */
  public void forgetObjects() {
    control.increment(Word.FORGET_OBJECTS);
  }

  /** Drops the login, and private session objects with it; sessions stay. */
  public void logOut() {
    control.increment(Word.LOG_OUT);
  }

  /**
   * Cuts off the device until {@link #back}: slots have no token, and all other calls return this
   * value. Sessions and keys are there again afterwards, unless they are forgotten as well.
   *
   * @param returnValue such as {@code CKR_DEVICE_REMOVED}
   */
  public void gone(long returnValue) {
    control.set(Word.GONE, returnValue);
  }

  /** Ends {@link #gone}. */
  public void back() {
    control.set(Word.GONE, 0);
  }

  /** Makes all calls to the device wait until {@link #thaw}. */
  public void freeze() {
    control.set(Word.FROZEN, 1);
  }

  /** Ends {@link #freeze}. */
  public void thaw() {
    control.set(Word.FROZEN, 0);
  }

  /** Returns how often a function was called, by all processes. */
  public long calls(String function) {
    return control.calls(number(function));
  }

  /** Returns how many calls of a function {@link #inject} affected; hanging calls count. */
  public long faults(String function) {
    return control.faults(number(function));
  }

  /** Returns how often {@code C_Finalize} overlapped with another call, which PKCS#11 forbids. */
  public long finalizedInUse() {
    return control.get(Word.FINALIZED_IN_USE);
  }

  private static int number(String function) {
    int number = FaultySource.FUNCTIONS.indexOf(function);
    if (number < 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s is no function of PKCS#11 2.40", function));
    }
    return number;
  }

  /** Ends all faults: hanging calls resume. What was forgotten stays forgotten. */
  @Override
  public void close() {
    back();
    thaw();
    FaultySource.FUNCTIONS.forEach(this::clear);
  }
}
