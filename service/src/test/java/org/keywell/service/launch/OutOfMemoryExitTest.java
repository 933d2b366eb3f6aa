package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a process of its own, as the JVM ends with it. */
final class OutOfMemoryExitTest {

  @TempDir private Path directory;

  /**
   * Main as {@code java -jar} starts it, with a command that is not known, beside a thread that
   * dies.
   */
  static final class Starved {
    public static void main(String[] args) throws InterruptedException {
      Main.watchThreads();
      Thread worker = Thread.ofPlatform().name("worker").start(() -> die(args[0]));
      worker.join();
      System.exit(0);
    }

    private static void die(String how) {
      if (how.equals("memory")) {
        List<long[]> all = new java.util.ArrayList<>();
        while (all.size() < Integer.MAX_VALUE) {
          all.add(new long[1 << 20]);
        }
      }
      throw new IllegalStateException("on purpose");
    }
  }

  @Test
  void aThreadThatDiesForWantOfMemoryEndsTheProcess() throws Exception {
    assertThat(run("memory")).isEqualTo(OutOfMemoryExit.CODE);
    assertThat(output()).contains("keywell: out of memory");
  }

  @Test
  void aThreadThatDiesOtherwiseIsToldInTheLogAlone() throws Exception {
    assertThat(run("otherwise")).isZero();
    assertThat(output()).contains("thread worker has ended", "on purpose");
  }

  private int run(String how) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Starved.class.getName(),
                how)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("out").toFile())
            .start();
    try {
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private String output() throws IOException {
    return Files.readString(directory.resolve("out"), StandardCharsets.UTF_8);
  }
}
