package org.keywell.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.keywell.testkit.ControlFile.Word;

/**
 * An HSM that fails when it is told to: a PKCS#11 module in front of a SoftHSM of its own, with
 * tokens of its own. Several work in one process, and none notices what happens to another.
 *
 * <p>Use {@link #path} as the module, in this process or in one that is started with it. What is
 * told here counts from the next call on, wherever the module is loaded. Functions are named as in
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
   * Makes a new one, which has no token and fails at nothing yet.
   *
   * @param directory for its files, and for those of its tokens; made if it is missing
   */
  public static FaultyModule create(Path directory) {
    RealPart.SOFTHSM.inUse();
    Path home = directory.toAbsolutePath();
    try {
      Files.createDirectories(home.resolve("tokens"));
      Path configuration = home.resolve("softhsm2.conf");
      Files.writeString(configuration, SoftHsm2.configurationFor(home.resolve("tokens")));
      // A library is initialised once for a process, by its file: each device has a file of its
      // own.
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

  /** One that {@link #create} made, here or in another process. */
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

  /** The PKCS#11 module. */
  public Path path() {
    return module;
  }

  /** Makes calls of a function go wrong, in the place of how they did so far. */
  public void inject(String function, Fault fault) {
    control.set(number(function), fault);
  }

  /** Ends a function's fault; its calls that hang go on. */
  public void clear(String function) {
    control.clear(number(function));
  }

  /** The session handles of now are invalid from now on, and what was made in them is gone. */
  public void forgetSessions() {
    control.increment(Word.FORGET_SESSIONS);
  }

  /**
   * As {@link #forgetSessions}, and the numbers of handles begin anew: sooner or later, a handle of
   * old is the number of another key.
   */
  public void failOver() {
    control.increment(Word.FAIL_OVER);
  }

  /** The session objects of now are gone; sessions and login stay. */
  public void forgetObjects() {
    control.increment(Word.FORGET_OBJECTS);
  }

  /** The login is lost, and private session objects with it; sessions stay. */
  public void logOut() {
    control.increment(Word.LOG_OUT);
  }

  /**
   * Nothing reaches the device until {@link #back}: slots have no token, and all else returns this.
   * Sessions and keys are there again afterwards, unless they are forgotten as well.
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

  /** Whatever reaches the device waits until {@link #thaw}. */
  public void freeze() {
    control.set(Word.FROZEN, 1);
  }

  /** Ends {@link #freeze}. */
  public void thaw() {
    control.set(Word.FROZEN, 0);
  }

  /** How often a function was called, by all processes. */
  public long calls(String function) {
    return control.calls(number(function));
  }

  /** How often a function's calls went wrong as {@link #inject} says; those that hang count. */
  public long faults(String function) {
    return control.faults(number(function));
  }

  /** How often {@code C_Finalize} was called while another call ran, which PKCS#11 forbids. */
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

  /** Ends all faults: calls that hang go on. What was forgotten stays so. */
  @Override
  public void close() {
    back();
    thaw();
    FaultySource.FUNCTIONS.forEach(this::clear);
  }
}
