package org.keywell.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * SoftHSM 2 with its own tokens below {@code target/softhsm} of the module under test, regardless
 * of the environment: no real tokens are touched, and a test runs from anywhere.
 */
public final class SoftHsm2 {

  private static final String VARIABLE = "SOFTHSM2_CONF";

  /** JVMs that test side by side have their own tokens. */
  private static final Path CONFIGURATION =
      Path.of("target", "softhsm" + System.getProperty("keywell.test.fork", ""), "softhsm2.conf")
          .toAbsolutePath();

  static {
    RealPart.SOFTHSM.inUse();
    write();
    exportToThisProcess();
  }

  private SoftHsm2() {}

  /** Returns the PKCS#11 module, which finds the tests' tokens when initialised. */
  public static Path module() {
    return Modules.softHsm();
  }

  /** Returns the configuration that names the tests' tokens. */
  public static Path configuration() {
    return CONFIGURATION;
  }

  /** Returns the directory of the tests' tokens. */
  public static Path tokens() {
    return CONFIGURATION.resolveSibling("tokens");
  }

  /** Returns the environment that a process needs to find the tests' tokens. */
  public static Map<String, String> environment() {
    return Map.of(VARIABLE, CONFIGURATION.toString());
  }

  /** Returns a configuration for tokens in a directory, which must exist. */
  static String configurationFor(Path tokens) {
    return """
    directories.tokendir = %s
    objectstore.backend = file
    slots.removable = false
    log.level = ERROR
    """
        .formatted(tokens);
  }

  private static void write() {
    String content = configurationFor(tokens());
    try {
      Files.createDirectories(tokens());
      if (Files.exists(CONFIGURATION)) {
        return;
      }
      // Other forked JVMs may do the same now, and SoftHSM must not read a partial file.
      Path written = Files.createTempFile(CONFIGURATION.getParent(), "softhsm2", ".conf");
      Files.writeString(written, content);
      try {
        Files.createLink(CONFIGURATION, written);
      } catch (FileAlreadyExistsException e) {
        // Another JVM was faster; the content is the same.
      } finally {
        Files.delete(written);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets it in the C library, where the module reads it; Java's own view cannot be changed. */
  private static void exportToThisProcess() {
    Linker linker = Linker.nativeLinker();
    FunctionDescriptor setenv =
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
    try (Arena arena = Arena.ofConfined()) {
      int result =
          (int)
              linker
                  .downcallHandle(linker.defaultLookup().findOrThrow("setenv"), setenv)
                  .invokeExact(
                      arena.allocateFrom(VARIABLE),
                      arena.allocateFrom(CONFIGURATION.toString()),
                      1);
      if (result != 0) {
        throw new AssertionError("setenv failed");
      }
    } catch (Throwable e) {
      throw new AssertionError("cannot set " + VARIABLE + " for SoftHSM", e);
    }
  }
}
