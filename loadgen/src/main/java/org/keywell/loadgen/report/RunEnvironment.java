package org.keywell.loadgen.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where the driver ran. The service may have run elsewhere: only its address shows where.
 *
 * @param cpu the processor's name, according to the system
 * @param loadAverage of the machine in the minute before the run; negative if unknown
 * @param gitRevision of the checkout that the driver was started from; null if unknown
 * @param gitDirty whether that checkout had uncommitted changes; null if unknown
 */
public record RunEnvironment(
    String cpu,
    int cores,
    String jdk,
    String os,
    double loadAverage,
    @Nullable String gitRevision,
    @Nullable Boolean gitDirty) {

  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  /**
   * Collects the environment.
   *
   * @param variables the process's environment: {@code KEYWELL_REVISION} and {@code
   *     KEYWELL_REVISION_DIRTY} describe the checkout
   */
  public static RunEnvironment here(Map<String, String> variables) {
    String dirty = variables.get("KEYWELL_REVISION_DIRTY");
    return new RunEnvironment(
        cpuName(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        "%s %s (%s)"
            .formatted(
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("os.arch")),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        variables.get("KEYWELL_REVISION"),
        dirty == null ? null : Boolean.valueOf(dirty));
  }

  private static String cpuName() {
    String unknown = "unknown (" + System.getProperty("os.arch") + ")";
    if (!Files.isReadable(CPU_INFO)) {
      return unknown;
    }
    try (Stream<String> lines = Files.lines(CPU_INFO)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(unknown);
    } catch (IOException e) {
      return unknown;
    }
  }
}
