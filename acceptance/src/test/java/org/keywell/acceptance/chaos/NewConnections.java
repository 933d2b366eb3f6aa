package org.keywell.acceptance.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code openssl s_time} in several processes, which open one TLS connection after the other. They
 * yield the processor to all others: a flood's own work is not done on the host that it floods.
 */
final class NewConnections implements AutoCloseable {

  private static final int PROCESSES = 16;
  private static final Pattern MADE =
      Pattern.compile("(?m)^(\\d+) connections in \\d+ real seconds");

  private final List<Process> processes;
  private final Duration time;

  private NewConnections(List<Process> processes, Duration time) {
    this.processes = processes;
    this.time = time;
  }

  /**
   * Starts them.
   *
   * @param files has the caller's certificate and key
   * @param time after which they end by themselves
   */
  static NewConnections start(Path files, int port, String caller, Duration time)
      throws IOException {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(
          new ProcessBuilder(
                  "nice",
                  "-n",
                  "19",
                  "openssl",
                  "s_time",
                  "-new",
                  "-tls1_3",
                  "-connect",
                  "127.0.0.1:" + port,
                  "-cert",
                  caller + ".pem",
                  "-key",
                  caller + ".key",
                  "-www",
                  "/sign",
                  "-time",
                  Long.toString(time.toSeconds()))
              .directory(files.toFile())
              .redirectErrorStream(true)
              .start());
    }
    return new NewConnections(processes, time);
  }

  /** Returns how many connections they have made, once all have ended. */
  long made() throws IOException, InterruptedException {
    long made = 0;
    for (Process process : processes) {
      if (!process.waitFor(time.toSeconds() + 30, TimeUnit.SECONDS)) {
        throw new IOException("openssl s_time does not end");
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Matcher matcher = MADE.matcher(said);
      if (!matcher.find()) {
        throw new IOException("openssl s_time said: " + said);
      }
      made += Long.parseLong(matcher.group(1));
    }
    return made;
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
