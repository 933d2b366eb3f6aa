package org.keywell.examples.pdfsigning;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.keywell.testkit.RandomPin;
import org.keywell.testkit.SoftHsm2;

/**
 * A real service as users start it, the executable jar of this build: with SoftHSM, a PostgreSQL of
 * its own, and a CA that it makes at its first start.
 */
final class KeywellService implements AutoCloseable {

  private static final Pattern READY = Pattern.compile("Keywell is ready: ([^\\s\"]+)");
  private static final long STARTS_WITHIN_NANOS = TimeUnit.MINUTES.toNanos(3);

  private final Process process;
  private final URI uri;

  private KeywellService(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  static KeywellService start(Path home) throws IOException, InterruptedException {
    Path jar = Path.of(System.getProperty("keywell.jar")).toRealPath();
    Path log = home.resolve("keywell.log");
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElseThrow(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-jar",
                    jar.toString()))
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(SoftHsm2.environment());
    builder
        .environment()
        .putAll(
            Map.of(
                "SERVER_PORT",
                "0",
                "KEYWELL_HOME",
                Files.createDirectory(home.resolve("data")).toString(),
                "KEYWELL_DATABASE_URL",
                "embedded",
                "KEYWELL_HSM_MODULE",
                SoftHsm2.module().toString(),
                "KEYWELL_HSM_TOKENLABEL",
                "pdf-signing-" + ProcessHandle.current().pid(),
                "KEYWELL_HSM_PINFILE",
                pin(home.resolve("pin")),
                "KEYWELL_HSM_SOPINFILE",
                pin(home.resolve("so-pin")),
                "KEYWELL_HSM_BOOTSTRAP",
                "if-missing",
                "KEYWELL_POOL_SPECS_RSA2048_MAXSTORED",
                "20"));
    Process process = builder.start();
    try {
      return new KeywellService(process, URI.create(await(READY, process, log)));
    } catch (Throwable e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static String pin(Path file) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, new String(RandomPin.characters())).toString();
  }

  /** What the first group of a pattern matches, once a line of the log does. */
  static String await(Pattern line, Process process, Path log)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    while (process.isAlive() && System.nanoTime() - began < STARTS_WITHIN_NANOS) {
      Matcher ready = line.matcher(Files.readString(log));
      if (ready.find()) {
        return ready.group(1);
      }
      Thread.sleep(50);
    }
    throw new AssertionError("no line '%s' in:%n%s".formatted(line, Files.readString(log)));
  }

  URI uri() {
    return uri;
  }

  /** In order, so that its PostgreSQL ends with it. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
