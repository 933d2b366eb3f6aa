package org.keywell.acceptance.running;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a process holds: no more after an attack, or after hours, than before. */
public final class Footprint {

  private static final Pattern USED = Pattern.compile("used (\\d+)K");

  private Footprint() {}

  /** What lives in the heap after a collection, in MiB. */
  public static long liveHeapMebibytes(KeywellProcess process)
      throws IOException, InterruptedException {
    jcmd(process, "GC.run");
    Matcher used = USED.matcher(jcmd(process, "GC.heap_info"));
    if (!used.find()) {
      throw new AssertionError("jcmd GC.heap_info tells no use of the heap");
    }
    return Long.parseLong(used.group(1)) / 1024;
  }

  /** How many files and sockets the process has open. */
  public static long openFiles(KeywellProcess process) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return files.count();
    }
  }

  /** How many threads it has. */
  public static long threads(KeywellProcess process) throws IOException {
    return status(process, "Threads:");
  }

  /** How much of its memory is resident, in MiB; outside the heap, too. */
  public static long residentMebibytes(KeywellProcess process) throws IOException {
    return status(process, "VmRSS:") / 1024;
  }

  private static long status(KeywellProcess process, String name) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  private static String jcmd(KeywellProcess process, String command)
      throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process run =
        new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), command)
            .redirectErrorStream(true)
            .start();
    String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!run.waitFor(30, TimeUnit.SECONDS) || run.exitValue() != 0) {
      throw new AssertionError("jcmd " + command + ": " + output);
    }
    return output;
  }
}
