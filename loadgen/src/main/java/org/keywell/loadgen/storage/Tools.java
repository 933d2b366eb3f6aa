package org.keywell.loadgen.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.keywell.loadgen.service.BoundedRun;

/**
 * The system's programs that a run takes.
 *
 * @param paths by their names
 */
public record Tools(Map<String, Path> paths) {
  private static final List<String> POSTGRESQL = List.of("initdb", "postgres", "pgbench");
  private static final Map<String, String> PACKAGES =
      Map.of(
          "mkfs.ext4", "e2fsprogs",
          "mount", "mount",
          "umount", "mount",
          "unshare", "util-linux",
          "setpriv", "util-linux");
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /**
   * Finds them, those of PostgreSQL in one directory.
   *
   * @param path the environment's PATH
   * @throws IllegalArgumentException if one is missing, or this is not root on Linux; the message
   *     says what to do
   */
  public static Tools find(String path) throws IOException {
    Path process = Path.of("/proc/self");
    if (!Files.exists(process) || !Files.getAttribute(process, "unix:uid").equals(0)) {
      throw new IllegalArgumentException(
          "this mounts encrypted file systems, which takes Linux and root");
    }
    List<Path> directories =
        Stream.of((path + ":/usr/sbin:/sbin").split(":", -1)).map(Path::of).toList();
    Map<String, Path> found = new TreeMap<>();
    new TreeMap<>(PACKAGES)
        .forEach((name, part) -> found.put(name, find(List.of(name), directories, part)));
    Path postgresql = find(POSTGRESQL, directories, "postgresql, or put its programs on the PATH");
    POSTGRESQL.forEach(name -> found.put(name, postgresql.resolveSibling(name)));
    return new Tools(found);
  }

  private static Path find(List<String> names, List<Path> directories, String part) {
    return directories.stream()
        .filter(in -> names.stream().allMatch(name -> Files.isExecutable(in.resolve(name))))
        .findFirst()
        .map(in -> in.resolve(names.getFirst()))
        .orElseThrow(() ->
            new IllegalArgumentException(
                "%s: not found; install the package %s".formatted(String.join(", ", names), part)));
  }

  String path(String program) {
    return String.valueOf(paths.get(program));
  }

  /** Returns PostgreSQL's version. */
  public String version() throws IOException, InterruptedException {
    return run("postgres", "--version").strip();
  }

  /**
   * Runs a program; returns what it prints.
   *
   * @throws IOException if it fails or takes more than a minute
   */
  String run(String program, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(path(program)));
    command.addAll(List.of(arguments));
    return run(command, LIMIT);
  }

  static String run(List<String> command, Duration limit) throws IOException, InterruptedException {
    BoundedRun run = BoundedRun.of(command, Path.of("/"), limit);
    if (run.exitCode() != 0) {
      // Where mount fails, its last line is advice.
      String why =
          run.text()
              .lines()
              .filter(line -> !line.isBlank() && !line.contains("dmesg(1)"))
              .reduce("", (_, last) -> last);
      throw new IOException(
          "%s failed: %s".formatted(Path.of(command.getFirst()).getFileName(), why.strip()));
    }
    return run.text();
  }

  /** Does what must be done at the end, even if the thread has been interrupted. */
  static void finish(BoundedRun.Work ending) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      ending.run();
    } catch (InterruptedException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
