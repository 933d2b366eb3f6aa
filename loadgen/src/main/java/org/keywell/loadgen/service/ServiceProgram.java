package org.keywell.loadgen.service;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Keywell's service as a program to run.
 *
 * @param command runs it; what it is to do follows
 * @param environment its whole environment, except what differs between runs
 * @param logs the directory of its logs
 * @param told where it reports progress to people
 */
public record ServiceProgram(
    List<String> command, Map<String, String> environment, Path logs, Redirect told) {
  private static final String PROGRAM = "KEYWELL_SERVICE_PROGRAM";
  private static final String HOME = "KEYWELL_HOME";
  private static final String PORT = "SERVER_PORT";
  private static final String PROFILE = "KEYWELL_HSM_PROFILE";
  private static final String TOKEN = "KEYWELL_SECURITY_LOCALTOKENFILE";
  private static final String WARM_UP = "KEYWELL_WARMUP";
  private static final int USUAL_PORT = 8420;

  /** Half-made keys are finished; there is nothing else to wait for. */
  private static final Duration FILL_ENDS_WITHIN = Duration.ofSeconds(90);

  private static final Duration COMMAND_WITHIN = Duration.ofMinutes(2);

  /**
   * Ctrl-C at a terminal reaches every process there. The service ignores it and ends in order when
   * it is asked to; what it writes is only for its owner.
   */
  private static final List<String> PRIVATELY_UNTIL_TOLD =
      List.of("/bin/sh", "-c", "trap '' INT && umask 077 && exec \"$@\"", "keywell");

  public ServiceProgram {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /**
   * Returns the program that the launcher names: options for its Java and the jar, one argument per
   * line, and the data directory. It runs in the Java of this process.
   *
   * @throws IllegalArgumentException if that is not possible; the message says what to do
   */
  public static ServiceProgram of(Map<String, String> environment) {
    String program = environment.get(PROGRAM);
    String home = environment.get(HOME);
    if (program == null || home == null) {
      throw new IllegalArgumentException(
          "this starts a service of its own, which the launcher sets up: use ./keywell ("
              + PROGRAM
              + " and "
              + HOME
              + " are not set)");
    }
    if (!environment.getOrDefault(TOKEN, "").isEmpty()) {
      throw new IllegalArgumentException(
          "this starts a service that all on this machine can reach while it runs: unset " + TOKEN);
    }
    List<String> command = new ArrayList<>(PRIVATELY_UNTIL_TOLD);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(program.lines().toList());
    return new ServiceProgram(command, environment, Path.of(home, "logs"), Redirect.INHERIT);
  }

  /**
   * Generates keys until this many are stored, at the HSM's own speed even if a profile is set.
   *
   * @return its exit code; it has reported what was wrong
   */
  public int fill(int keys, String keySpec, PrintWriter err)
      throws IOException, InterruptedException {
    ProcessBuilder fill =
        process(Map.of(), "fill", Integer.toString(keys), "--key-spec", keySpec)
            .redirectOutput(told)
            .redirectError(told);
    fill.environment().remove(PROFILE);
    try (ChildProcess child = ChildProcess.start(fill, "its work", FILL_ENDS_WITHIN, err)) {
      return child.awaitEnd();
    }
  }

  /**
   * Starts it as a service, at SERVER_PORT or else the first free port. By default it does not warm
   * up by itself: the measurement decides with what.
   *
   * @param name of its log
   * @param settings added to its environment
   * @param patience how long it may take to end: it finishes what it has accepted
   * @throws IllegalArgumentException if SERVER_PORT is not a port
   */
  public OwnService start(
      String name, Map<String, String> settings, Duration patience, PrintWriter err)
      throws IOException {
    return start(name, settings, null, patience, err);
  }

  /**
   * As {@link #start(String, Map, Duration, PrintWriter)}.
   *
   * @param tls how it is reached, if the settings have it serve TLS
   */
  public OwnService start(
      String name,
      Map<String, String> settings,
      @Nullable SSLContext tls,
      Duration patience,
      PrintWriter err)
      throws IOException {
    int port = port();
    Path log = logs.resolve(name + ".log");
    Files.createDirectories(logs);
    ProcessBuilder serve =
        process(settings, "serve").redirectErrorStream(true).redirectOutput(log.toFile());
    serve.environment().put(PORT, Integer.toString(port));
    serve.environment().putIfAbsent(WARM_UP, "0s");
    return new OwnService(
        ChildProcess.start(serve, "the requests that it has accepted", patience, err),
        port,
        tls,
        log,
        err);
  }

  /**
   * Runs one of its short commands to its end.
   *
   * @param what such as {@code xks list}
   * @throws IOException if it fails; the message is its last line
   */
  public void run(String... what) throws IOException, InterruptedException {
    BoundedRun run = BoundedRun.of(process(Map.of(), what), COMMAND_WITHIN);
    if (run.exitCode() != 0) {
      throw new IOException("%s: %s".formatted(String.join(" ", what), run.lastLine()));
    }
  }

  /** Returns the same program, started by another one. */
  public ServiceProgram by(List<String> starter) {
    List<String> line = new ArrayList<>(starter);
    line.addAll(command);
    return new ServiceProgram(line, environment, logs, told);
  }

  /**
   * Returns normally if the environment leaves these settings to a measurement.
   *
   * @throws IllegalArgumentException if one is set; the message names it
   */
  public void requireUnset(String prefix) {
    for (Map.Entry<String, String> one : new TreeMap<>(environment).entrySet()) {
      if (one.getKey().startsWith(prefix) && !one.getValue().isEmpty()) {
        throw new IllegalArgumentException(
            "this starts a service with its own settings: unset " + one.getKey());
      }
    }
  }

  /** Returns the name of a pool's setting in a service's environment. */
  public static String poolSetting(String keySpec, String setting) {
    String kind = keySpec.replaceAll("[^A-Za-z0-9]", "").toUpperCase(Locale.ROOT);
    return "KEYWELL_POOL_SPECS_" + kind + "_" + setting;
  }

  /** Returns a service's environment with these settings. */
  public Map<String, String> with(Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(settings);
    return all;
  }

  private ProcessBuilder process(Map<String, String> settings, String... what) {
    List<String> line = new ArrayList<>(command);
    line.addAll(List.of(what));
    ProcessBuilder process = new ProcessBuilder(line).redirectInput(Path.of("/dev/null").toFile());
    process.environment().clear();
    process.environment().putAll(with(settings));
    return process;
  }

  private int port() throws IOException {
    String given = environment.get(PORT);
    if (given == null || given.isEmpty()) {
      return FreePorts.from(USUAL_PORT);
    }
    int port = given.matches("[0-9]{1,5}") ? Integer.parseInt(given) : 0;
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("SERVER_PORT: '" + given + "' is no port");
    }
    return port;
  }
}
