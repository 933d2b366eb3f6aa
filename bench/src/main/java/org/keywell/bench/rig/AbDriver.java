package org.keywell.bench.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * ApacheBench's callers, which each wait for an answer before they send the next request: a driver
 * in Java would take a good part of the processor that the service is measured on.
 */
public final class AbDriver {
  private static final int DEADLINE_SECONDS = 60;
  private static final int RUN_MINUTES = 10;
  private static final int DIGEST_BYTES = 32;

  private static final String KEPT = "-k";

  private final Path folder;
  private final String program;
  private final List<String> connections;

  /**
   * Creates the driver.
   *
   * @param folder for passing files
   */
  public AbDriver(Path folder) {
    this(folder, "ab");
  }

  AbDriver(Path folder, String program) {
    this(folder, program, List.of(KEPT));
  }

  private AbDriver(Path folder, String program, List<String> connections) {
    this.folder = folder;
    this.program = program;
    this.connections = connections;
  }

  /** Returns a driver with a new connection for each request; otherwise, callers keep theirs. */
  public AbDriver withNewConnections() {
    return new AbDriver(
        folder, program, connections.stream().filter(option -> !option.equals(KEPT)).toList());
  }

  /**
   * Returns a driver whose callers present a certificate. They accept any of the service's.
   *
   * @param pem the certificate and its key
   */
  public AbDriver presenting(Path pem) {
    List<String> options = new ArrayList<>(connections);
    options.addAll(List.of("-E", pem.toString()));
    return new AbDriver(folder, program, List.copyOf(options));
  }

  /**
   * Sends requests and waits until all are answered. All have the same digest; each still gets a
   * different signature by a different key.
   *
   * @param callers at most as many as requests
   * @throws IOException if a request was not signed
   */
  public AbRun run(URI service, String keySpec, int requests, int callers)
      throws IOException, InterruptedException {
    return post(
        service.resolve("/sign"),
        "application/json",
        body(keySpec).getBytes(UTF_8),
        requests,
        callers);
  }

  /**
   * Sends the same request again and again, and waits until all are answered.
   *
   * @param callers at most as many as requests
   * @throws IOException if an answer was not 2xx
   */
  public AbRun post(URI to, String contentType, byte[] request, int requests, int callers)
      throws IOException, InterruptedException {
    Path body = Files.write(folder.resolve("ab-body"), request);
    Path percentiles = folder.resolve("ab-percentiles.csv");
    Path report = folder.resolve("ab-report.txt");
    Files.deleteIfExists(percentiles);
    List<String> command = new ArrayList<>(List.of(program, "-q"));
    command.addAll(connections);
    command.addAll(
        List.of(
            // Answers differ in length, since certificates do.
            "-l",
            "-s",
            Integer.toString(DEADLINE_SECONDS),
            "-n",
            Integer.toString(requests),
            "-c",
            Integer.toString(callers),
            "-p",
            body.toString(),
            "-T",
            contentType,
            "-e",
            percentiles.toString(),
            to.toString()));
    Process process = start(command, report);
    try {
      if (!process.waitFor(RUN_MINUTES, TimeUnit.MINUTES)) {
        throw new IOException(
            "%d requests took longer than %d minutes".formatted(requests, RUN_MINUTES));
      }
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(report);
    if (process.exitValue() != 0) {
      throw new IOException("ApacheBench failed: " + lastLine(printed));
    }
    return new AbOutput(printed, Files.readAllLines(percentiles)).run(requests);
  }

  private static Process start(List<String> command, Path report) throws IOException {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(report.toFile())
          .start();
    } catch (IOException e) {
      throw new IOException(
          "ApacheBench cannot be run (Debian's package apache2-utils has it): " + e.getMessage(),
          e);
    }
  }

  private static String lastLine(String printed) {
    return printed.lines().filter(line -> !line.isBlank()).reduce("", (_, last) -> last);
  }

  private static String body(String keySpec) {
    String digest = Base64.getEncoder().encodeToString(new byte[DIGEST_BYTES]);
    return """
    {"digestAlgorithm":"SHA-256","digest":"%s","keySpec":"%s",\
    "signer":{"commonName":"Keywell Bench"},"deadlineMillis":%d}\
    """
        .formatted(digest, keySpec, TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS));
  }
}
