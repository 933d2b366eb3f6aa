package org.keywell.loadgen.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.keywell.loadgen.service.BoundedRun;

/**
 * The system's OpenSSL.
 *
 * @param version as it reports it
 */
public record OpenSsl(String program, String version) {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /**
   * Finds it.
   *
   * @param program its path, or a name on the PATH
   * @throws IllegalArgumentException if it is missing, or cannot measure TLS 1.3; the message says
   *     what to do
   */
  public static OpenSsl find(String program) throws IOException, InterruptedException {
    String version;
    try {
      version = BoundedRun.of(List.of(program, "version"), Path.of("."), LIMIT).text().strip();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%s is missing; install OpenSSL 3 from your system's packages".formatted(program), e);
    }
    String help = BoundedRun.of(List.of(program, "s_time", "-help"), Path.of("."), LIMIT).text();
    if (!help.contains("-tls1_3") || !help.contains("-ciphersuites")) {
      throw new IllegalArgumentException(
          "this needs OpenSSL 3, whose s_time measures TLS 1.3; %s is %s"
              .formatted(program, version.isEmpty() ? "something else" : version));
    }
    return new OpenSsl(program, version);
  }

  /**
   * Runs it.
   *
   * @throws IOException if it fails or takes more than half a minute
   */
  public void run(Path directory, List<String> arguments) throws IOException, InterruptedException {
    BoundedRun run = BoundedRun.of(command(arguments), directory, LIMIT);
    if (run.exitCode() != 0) {
      throw new IOException(
          "openssl %s failed: %s".formatted(arguments.getFirst(), run.lastLine()));
    }
  }

  /** Returns the command line with these arguments. */
  public List<String> command(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(arguments);
    return command;
  }
}
