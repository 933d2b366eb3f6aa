package org.keywell.loadgen.service;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An {@code openssl s_server} that belongs only to this process and ends when it is closed. */
public final class OpenSslServer implements AutoCloseable {
  private static final Duration LISTENS_WITHIN = Duration.ofSeconds(10);
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);
  private static final long LOOK_MILLIS = 50;

  private final ChildProcess process;

  private OpenSslServer(ChildProcess process) {
    this.process = process;
  }

  /**
   * Starts it and waits until it listens on this machine.
   *
   * @param directory where it runs, and leaves {@code s_server.log}
   * @throws IOException if it does not; the message says why
   */
  public static OpenSslServer start(List<String> command, Path directory, int port, PrintWriter err)
      throws IOException, InterruptedException {
    Path log = directory.resolve("s_server.log");
    ProcessBuilder server =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            // A line for each connection.
            .redirectOutput(Redirect.DISCARD)
            .redirectError(log.toFile());
    OpenSslServer started =
        new OpenSslServer(ChildProcess.start(server, "its connection", ENDS_WITHIN, err));
    try {
      started.awaitListening(port, log);
      return started;
    } catch (IOException | InterruptedException e) {
      started.close();
      throw e;
    }
  }

  private void awaitListening(int port, Path log) throws IOException, InterruptedException {
    long began = System.nanoTime();
    while (System.nanoTime() - began < LISTENS_WITHIN.toNanos() && process.isAlive()) {
      try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException e) {
        Thread.sleep(LOOK_MILLIS);
      }
    }
    throw new IOException(
        "openssl s_server does not listen on port %d: %s"
            .formatted(port, Files.readString(log).strip()));
  }

  @Override
  public void close() {
    process.close();
  }
}
