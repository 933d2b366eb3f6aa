package org.keywell.service.attack;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.keywell.service.running.KeywellProcess;

/** What a process holds: after an attack no more than before it. */
final class Footprint {

  private static final Pattern USED = Pattern.compile("used (\\d+)K");

  private Footprint() {}

  /** What lives in the heap after a collection, in MiB. */
  static long liveHeapMebibytes(KeywellProcess process) throws IOException, InterruptedException {
    jcmd(process, "GC.run");
    Matcher used = USED.matcher(jcmd(process, "GC.heap_info"));
    if (!used.find()) {
      throw new AssertionError("jcmd GC.heap_info tells no use of the heap");
    }
    return Long.parseLong(used.group(1)) / 1024;
  }

  /** How many files and sockets the process has open. */
  static long openFiles(KeywellProcess process) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return files.count();
    }
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
