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
 * SoftHSM 2 with tokens of its own below {@code target/softhsm} of the module under test, whatever
 * the environment says: nobody's real tokens are touched, and a test runs from anywhere.
 */
public final class SoftHsm2 {

  private static final String VARIABLE = "SOFTHSM2_CONF";
  private static final Path CONFIGURATION =
      Path.of("target", "softhsm", "softhsm2.conf").toAbsolutePath();

  static {
    RealPart.SOFTHSM.inUse();
    write();
    exportToThisProcess();
  }

  private SoftHsm2() {}

  /** The PKCS#11 module; finds the tests' tokens when it is initialised. */
  public static Path module() {
    return Modules.softHsm();
  }

  /** The configuration that names the tests' tokens. */
  public static Path configuration() {
    return CONFIGURATION;
  }

  /** Where the tests' tokens are. */
  public static Path tokens() {
    return CONFIGURATION.resolveSibling("tokens");
  }

  /** What a process needs in its environment to find the tests' tokens. */
  public static Map<String, String> environment() {
    return Map.of(VARIABLE, CONFIGURATION.toString());
  }

  /** What a configuration says for tokens in a directory, which has to exist. */
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
      // Other forked JVMs may do the same now, and SoftHSM must not read half a file.
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

  /** The module asks the C library; Java's own view of the environment cannot be changed. */
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
