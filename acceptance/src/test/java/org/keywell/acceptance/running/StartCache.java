package org.keywell.acceptance.running;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.keywell.keypool.hsm.KeySpec;
import org.springframework.util.FileSystemUtils;

/**
 * The JVM's AOT cache for processes of the tests, most of which do little more than start. A
 * service of its own makes it before the first of them, and again once a jar has changed.
 */
final class StartCache {

  private static final Path CACHE = Path.of("target", "start.aot").toAbsolutePath();

  /** Tells what it was made of; written last. */
  private static final Path MADE_OF = Path.of("target", "start.aot.made-of").toAbsolutePath();

  private static final Path LOCK = Path.of("target", "start.aot.lock").toAbsolutePath();

  private StartCache() {}

  /**
   * Returns the options of a JVM that uses it; none where there is no cache, which changes nothing
   * but the time.
   *
   * @param java the other options
   */
  static synchronized List<String> options(List<String> java, String classPath) {
    // Other forked JVMs start processes as well.
    try (FileChannel lock = FileChannel.open(LOCK, CREATE, WRITE);
        FileLock _ = lock.lock()) {
      List<Path> entries = new ArrayList<>();
      for (String entry : classPath.split(File.pathSeparator, -1)) {
        entries.add(Path.of(entry));
      }
      // An IDE has directories on the class path, of which the JVM makes no cache.
      if (entries.stream().anyMatch(Files::isDirectory)) {
        return List.of();
      }
      String parts = describe(java, entries);
      if (!Files.exists(MADE_OF) || !Files.readString(MADE_OF).equals(parts)) {
        Files.deleteIfExists(CACHE);
        make(java);
        Files.writeString(MADE_OF, parts);
      }
      return Files.exists(CACHE)
          ? List.of("-XX:AOTCache=" + CACHE, "-XX:AOTMode=auto", "-Xlog:aot=off", "-Xlog:cds=off")
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static String describe(List<String> java, List<Path> entries) throws IOException {
    StringBuilder parts = new StringBuilder(Runtime.version() + " " + java + "\n");
    for (Path entry : entries) {
      if (Files.exists(entry)) {
        parts
            .append(entry)
            .append(' ')
            .append(Files.size(entry))
            .append(' ')
            .append(Files.getLastModifiedTime(entry))
            .append('\n');
      }
    }
    return parts.toString();
  }

  /** What processes of the tests do: start, sign, show metrics, stop. */
  private static void make(List<String> java) throws IOException, InterruptedException {
    List<String> writing = new ArrayList<>(java);
    writing.add("-XX:AOTCacheOutput=" + CACHE);
    Path home = Files.createTempDirectory(CACHE.getParent(), "start");
    try {
      sign(writing, home);
    } finally {
      FileSystemUtils.deleteRecursively(home);
    }
  }

  private static void sign(List<String> java, Path home) throws IOException, InterruptedException {
    try (Site site = Site.create(home);
        KeywellProcess keywell =
            KeywellProcess.start(
                java,
                site.settings(
                    Settings.pool(KeySpec.EC_P256, 1),
                    Map.of("keywell.pool.when-empty", "generate")),
                home.resolve("log"),
                "serve")) {
      keywell.awaitReady().sign(SignBody.of("document").keySpec(KeySpec.EC_P256));
      keywell.management().text("/actuator/prometheus");
      keywell.terminate();
      keywell.awaitExit();
    }
  }
}
