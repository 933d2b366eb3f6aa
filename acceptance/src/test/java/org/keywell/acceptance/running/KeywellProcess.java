package org.keywell.acceptance.running;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.testkit.SoftHsm2;

/**
 * The executable in a process of its own, configured through its environment as an operator does.
 * Runs from the classes of this build.
 */
public final class KeywellProcess implements AutoCloseable {

  private static final Pattern READY = Pattern.compile("Keywell is ready: ([^\\s\"]+)");
  private static final Pattern MANAGEMENT = Pattern.compile("Health: (\\S+)/actuator/");
  private static final Pattern KMIP = Pattern.compile("KMIP: 127.0.0.1:([0-9]+), with");

  /** Most of these processes are short. */
  private static final List<String> QUICK_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** The service is deployed without it. */
  private static final Pattern STANDALONE =
      Pattern.compile(".*(/keywell-standalone[^/]*\\.jar|/standalone/target/classes)");

  private final Process process;
  private final Path log;

  private KeywellProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Starts a command.
   *
   * @param settings {@code keywell.*} and other properties
   * @param log takes standard output and error
   * @param command such as {@code serve}, or {@code fill 10}
   */
  public static KeywellProcess start(Map<String, String> settings, Path log, String... command)
      throws IOException {
    return start(quickStart(), settings, log, command);
  }

  private static List<String> quickStart() {
    List<String> java = new ArrayList<>(QUICK_START);
    java.addAll(StartCache.options(QUICK_START, classPath()));
    return java;
  }

  /**
   * Starts a command as {@link #start(Map, Path, String...)} does.
   *
   * @param java options of its Java
   */
  public static KeywellProcess start(
      List<String> java, Map<String, String> settings, Path log, String... command)
      throws IOException {
    List<String> line = new ArrayList<>(line(java));
    line.addAll(List.of(command));
    return run(line, settings, log);
  }

  private static List<String> line(List<String> java) {
    List<String> line = new ArrayList<>();
    line.add(ProcessHandle.current().info().command().orElseThrow());
    line.add("--enable-native-access=ALL-UNNAMED");
    line.addAll(java);
    line.addAll(List.of("-cp", classPath(), "org.keywell.service.launch.Main"));
    return line;
  }

  /**
   * What the load generator starts services of its own with.
   *
   * @param settings without a port
   */
  public static ServiceProgram program(Map<String, String> settings, Path home) {
    return program(line(quickStart()), settings, home);
  }

  /** As {@link #program}, with the executable jar that brings its PostgreSQL along. */
  public static ServiceProgram standaloneProgram(Map<String, String> settings, Path home) {
    return program(jarLine("standalone", QUICK_START), settings, home);
  }

  private static ServiceProgram program(
      List<String> line, Map<String, String> settings, Path home) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.putAll(SoftHsm2.environment());
    settings.forEach((name, value) -> environment.put(environmentName(name), value));
    // Load generators in JVMs side by side would find the same port free.
    environment.put(
        "SERVER_PORT", "26%s00".formatted(System.getProperty("keywell.test.fork", "0")));
    return new ServiceProgram(
        line, environment, home.resolve("logs"), Redirect.to(home.resolve("fill.log").toFile()));
  }

  /**
   * Starts the executable jar of this build, as users do.
   *
   * @param java options of its Java
   */
  public static KeywellProcess startJar(List<String> java, Map<String, String> settings, Path log)
      throws IOException {
    return run(jarLine("service", java), settings, log);
  }

  /** Starts a command of the executable jar that brings its PostgreSQL along. */
  public static KeywellProcess startStandalone(
      Map<String, String> settings, Path log, String... command) throws IOException {
    return startStandalone(QUICK_START, settings, log, command);
  }

  /**
   * As {@link #startStandalone(Map, Path, String...)}.
   *
   * @param java options of its Java
   */
  public static KeywellProcess startStandalone(
      List<String> java, Map<String, String> settings, Path log, String... command)
      throws IOException {
    List<String> line = jarLine("standalone", java);
    line.addAll(List.of(command));
    return run(line, settings, log);
  }

  /** Returns the executable jar of a module, as this build made it. */
  public static Path executableJar(String module) {
    Path jar =
        Path.of("..", module, "target", "keywell-" + module + "-exec.jar")
            .toAbsolutePath()
            .normalize();
    if (!Files.exists(jar)) {
      throw new AssertionError("there is no " + jar + "; './mvnw package' makes it");
    }
    return jar;
  }

  private static List<String> jarLine(String module, List<String> java) {
    List<String> line = new ArrayList<>();
    line.add(ProcessHandle.current().info().command().orElseThrow());
    line.addAll(java);
    line.addAll(List.of("-jar", executableJar(module).toString()));
    return line;
  }

  private static KeywellProcess run(List<String> line, Map<String, String> settings, Path log)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(SoftHsm2.environment());
    settings.forEach((name, value) -> builder.environment().put(environmentName(name), value));
    return new KeywellProcess(builder.start(), log);
  }

  /** Without what is for tests: its logging configuration would take the place of the service's. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.endsWith("test-classes") && !entry.endsWith("-tests.jar"))
        .filter(entry -> !STANDALONE.matcher(entry).matches())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Waits until the service listens. */
  public HttpApi awaitReady() throws IOException, InterruptedException {
    while (process.isAlive()) {
      Optional<HttpApi> ready = ready();
      if (ready.isPresent()) {
        return ready.get();
      }
      Thread.sleep(50);
    }
    throw new AssertionError("the service ended with " + process.exitValue() + ":\n" + log());
  }

  /** The service, if it listens by now. */
  public Optional<HttpApi> ready() throws IOException {
    Matcher ready = READY.matcher(log());
    return ready.find() ? Optional.of(new HttpApi(URI.create(ready.group(1)))) : Optional.empty();
  }

  /** Health and metrics, on their own port, once the service listens. */
  public HttpApi management() throws IOException, InterruptedException {
    return new HttpApi(URI.create(told("health and metrics", MANAGEMENT)));
  }

  /** Returns where it answers KMIP, once the service listens. */
  public int kmipPort() throws IOException, InterruptedException {
    return Integer.parseInt(told("KMIP", KMIP));
  }

  /** A few lines after the one that says that it is ready. */
  private String told(String what, Pattern address) throws IOException, InterruptedException {
    for (int attempt = 0; attempt < 200; attempt++) {
      Matcher found = address.matcher(log());
      if (found.find()) {
        return found.group(1);
      }
      Thread.sleep(50);
    }
    throw new AssertionError("no address of " + what + ":\n" + log());
  }

  /** Waits for the end and returns the exit code. */
  public int awaitExit() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("the process has not ended after 60 s");
    }
    return process.exitValue();
  }

  /** {@code kill -9}. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Whether it still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** {@code kill -15}. */
  public void terminate() {
    process.destroy();
  }

  /** {@code kill -STOP}: it stands still until {@link #thaw}. */
  public void freeze() throws IOException, InterruptedException {
    signal("-STOP");
  }

  /** {@code kill -CONT}. */
  public void thaw() throws IOException, InterruptedException {
    signal("-CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(pid())).start();
    if (kill.waitFor() != 0) {
      throw new AssertionError("kill " + signal + " failed");
    }
  }

  public String log() throws IOException {
    return Files.readString(log);
  }

  public long pid() {
    return process.pid();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Spring's relaxed binding: dots become underscores, dashes vanish. */
  private static String environmentName(String property) {
    return property.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
  }
}
