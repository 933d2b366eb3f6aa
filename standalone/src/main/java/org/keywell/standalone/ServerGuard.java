package org.keywell.standalone;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops the server if this process ends without having stopped it: killed, or out of memory. A
 * shell waits for the end of a pipe whose other end this process holds, so that no way to end is
 * left out.
 */
final class ServerGuard implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ServerGuard.class);

  /**
   * A line means that nothing is to be done. What a terminal or a supervisor sends to all processes
   * must not end it before this one. A number that another process has by now is left alone.
   */
  private static final String WAIT_AND_STOP =
      """
      trap '' HUP INT TERM
      read -r _ && exit
      [ "$(head -n 1 "$1/postmaster.pid")" = "$2" ] && kill -INT "$2"
      """;

  private final @Nullable OutputStream pipe;

  private ServerGuard(@Nullable OutputStream pipe) {
    this.pipe = pipe;
  }

  /** Watches from now on. Without a shell, nobody does. */
  static ServerGuard over(ProcessHandle server, Path dataDirectory) {
    try {
      return new ServerGuard(
          new ProcessBuilder(
                  "/bin/sh",
                  "-c",
                  WAIT_AND_STOP,
                  "keywell-postgres-guard",
                  dataDirectory.toString(),
                  Long.toString(server.pid()))
              .directory(dataDirectory.getRoot().toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .getOutputStream());
    } catch (IOException e) {
      log.warn("the embedded PostgreSQL outlives a crash of this process: {}", e.getMessage());
      return new ServerGuard(null);
    }
  }

  /** Watches no more; the server is stopped. */
  @Override
  public void close() {
    if (pipe == null) {
      return;
    }
    try (pipe) {
      pipe.write("\n".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      log.debug("the guard of the embedded PostgreSQL has ended", e);
    }
  }
}
