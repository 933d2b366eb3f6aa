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

/** A server of others that belongs only to this process and ends when it is closed. */
public final class ForeignServer implements AutoCloseable {
  private static final Duration LISTENS_WITHIN = Duration.ofSeconds(20);
  private static final long LOOK_MILLIS = 5;

  private final ChildProcess process;
  private final int port;

  private ForeignServer(ChildProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it and waits until it listens on this machine.
   *
   * @param name for people; its log has this name, too
   * @param directory where it runs, and leaves its log
   * @param endsWithin how long it may take to end
   * @throws IOException if it does not listen; the message says why
   */
  public static ForeignServer start(
      String name,
      List<String> command,
      Path directory,
      int port,
      Duration endsWithin,
      PrintWriter err)
      throws IOException, InterruptedException {
    Redirect none = Redirect.from(Path.of("/dev/null").toFile());
    return start(name, command, none, directory, port, endsWithin, err);
  }

  /** As {@link #start}, with an input that ends when this process does, however that ends. */
  public static ForeignServer startAttached(
      String name,
      List<String> command,
      Path directory,
      int port,
      Duration endsWithin,
      PrintWriter err)
      throws IOException, InterruptedException {
    return start(name, command, Redirect.PIPE, directory, port, endsWithin, err);
  }

  private static ForeignServer start(
      String name,
      List<String> command,
      Redirect input,
      Path directory,
      int port,
      Duration endsWithin,
      PrintWriter err)
      throws IOException, InterruptedException {
    Path log = directory.resolve(name + ".log");
    ProcessBuilder server =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectInput(input)
            // s_server has a line for each connection.
            .redirectOutput(Redirect.DISCARD)
            .redirectError(log.toFile());
    ForeignServer started =
        new ForeignServer(ChildProcess.start(server, "its connections", endsWithin, err), port);
    try {
      started.awaitListening(name, log);
      return started;
    } catch (IOException | InterruptedException e) {
      started.close();
      throw e;
    }
  }

  public int port() {
    return port;
  }

  public long pid() {
    return process.pid();
  }

  private void awaitListening(String name, Path log) throws IOException, InterruptedException {
    long began = System.nanoTime();
    while (System.nanoTime() - began < LISTENS_WITHIN.toNanos() && process.isAlive()) {
      try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException e) {
        Thread.sleep(LOOK_MILLIS);
      }
    }
    throw new IOException(
        "%s does not listen on port %d: %s".formatted(name, port, Files.readString(log).strip()));
  }

  /** Ends it, and what it has started itself. */
  @Override
  public void close() {
    List<ProcessHandle> started = process.descendants();
    process.close();
    started.forEach(ProcessHandle::destroyForcibly);
  }
}
