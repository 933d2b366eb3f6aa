package org.keywell.bench.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What affects figures besides the processor, in words; {@code unknown} if the system does not say.
 *
 * @param memory its size
 * @param system the distribution
 * @param hsm the PKCS#11 module
 * @param openssl the version that SoftHSM uses
 * @param database the server of the measured services
 */
public record Machine(String memory, String system, String hsm, String openssl, String database) {
  static final String UNKNOWN = "unknown";

  private static final int PATIENCE_SECONDS = 10;
  private static final double KIB_PER_GIB = 1_024 * 1_024;

  /**
   * Describes this machine.
   *
   * @param module the PKCS#11 module of the measured services
   */
  public static Machine here(String module, Optional<String> database) {
    return new Machine(
        line(Path.of("/proc/meminfo"), "MemTotal:").map(Machine::gib).orElse(UNKNOWN),
        line(Path.of("/etc/os-release"), "PRETTY_NAME=")
            .map(name -> name.replace("\"", ""))
            .orElse(UNKNOWN),
        hsm(module),
        printed("openssl", "version").orElse(UNKNOWN),
        database.orElse(UNKNOWN));
  }

  /** Asks the tools that come with SoftHSM; the module itself knows less. */
  private static String hsm(String module) {
    return module.contains("softhsm")
        ? "SoftHSM %s, %s".formatted(printed("softhsm2-util", "--version").orElse(UNKNOWN), module)
        : module;
  }

  private static Optional<String> line(Path file, String name) {
    if (!Files.isReadable(file)) {
      return Optional.empty();
    }
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(name.length()).strip())
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  static String gib(String kib) {
    return String.format(
        Locale.ROOT, "%.1f GiB", Long.parseLong(kib.replaceAll("[^0-9]", "")) / KIB_PER_GIB);
  }

  /**
   * Returns the first line that a program prints.
   *
   * @return empty if there is no such program, or it fails
   */
  public static Optional<String> printed(String... command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var lines = process.inputReader()) {
        String first = lines.readLine();
        boolean done =
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        return done ? Optional.ofNullable(first) : Optional.empty();
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
