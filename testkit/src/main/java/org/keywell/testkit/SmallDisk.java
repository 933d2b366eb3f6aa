package org.keywell.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A small in-memory file system that fills on command. Only processes started {@link #within} it
 * see it; it disappears with the last of them, so nothing has to be unmounted.
 */
public final class SmallDisk implements AutoCloseable {

  private final Path at;
  private final Process holder;

  private SmallDisk(Path at, Process holder) {
    this.at = at;
    this.holder = holder;
  }

  /**
   * Mounts a disk.
   *
   * @param at an existing directory
   * @return empty if mounting is not allowed
   */
  public static Optional<SmallDisk> mount(Path at, int megabytes) throws IOException {
    List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
    if (!isRoot()) {
      command.addAll(List.of("--user", "--map-root-user"));
    }
    // Ends with this process, which holds the other end of its input.
    command.addAll(
        List.of(
            "sh",
            "-c",
            "mount -t tmpfs -o size=\"$1\"m keywell \"$0\" && echo mounted && exec cat",
            at.toString(),
            Integer.toString(megabytes)));
    Process holder = new ProcessBuilder(command).start();
    SmallDisk disk = new SmallDisk(at, holder);
    if (holder.inputReader().readLine() == null) {
      disk.close();
      return Optional.empty();
    }
    return Optional.of(disk);
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** Returns the command prefix that makes a process see this disk. */
  public List<String> within() {
    List<String> enter =
        new ArrayList<>(List.of("nsenter", "--target", Long.toString(holder.pid()), "--mount"));
    if (!isRoot()) {
      enter.addAll(List.of("--user", "--preserve-credentials"));
    }
    enter.add("--");
    return enter;
  }

  /** Fills all the space that is left. */
  public void fill() {
    // Ends with the intended error.
    run("cat /dev/zero > \"$0\" 2>/dev/null; true");
  }

  /** Frees the space that {@link #fill} took. */
  public void makeRoom() {
    run("rm \"$0\"");
  }

  private void run(String script) {
    List<String> command = new ArrayList<>(within());
    command.addAll(List.of("sh", "-c", script, at.resolve("ballast").toString()));
    try {
      int code = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (code != 0) {
        throw new IllegalStateException(command + " ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  public void close() {
    holder.destroy();
  }
}
