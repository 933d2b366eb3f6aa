package org.keywell.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * chrony's daemon as a time server on loopback, with this machine's time; it does not set the
 * clock. Its absence fails a test.
 */
public final class TimeServer implements AutoCloseable {

  private final Process process;

  private TimeServer(Process process) {
    this.process = process;
  }

  /** Starts one that keeps its files in an empty directory. */
  public static TimeServer start(Path directory, int port) throws IOException {
    Path settings = directory.resolve("chrony.conf");
    Files.writeString(
        settings,
        """
        port %d
        cmdport 0
        bindaddress 127.0.0.1
        allow 127.0.0.1
        local stratum 3
        pidfile %s
        """
            .formatted(port, directory.resolve("pid")));
    return new TimeServer(
        new ProcessBuilder(
                List.of(
                    Objects.requireNonNullElse(System.getenv("KEYWELL_TEST_CHRONYD"), "chronyd"),
                    // Neither the clock nor privileges are its own.
                    "-x",
                    "-U",
                    "-u",
                    System.getProperty("user.name"),
                    "-d",
                    "-f",
                    settings.toString()))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start());
  }

  @Override
  public void close() {
    stop();
  }

  /** From now on it answers nobody. */
  public void stop() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
