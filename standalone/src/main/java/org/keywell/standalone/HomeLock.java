package org.keywell.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Ensures that only one process at a time owns a data directory. The operating system releases the
 * lock however the process ends.
 */
public final class HomeLock implements AutoCloseable {

  private final FileChannel channel;

  private HomeLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Takes the lock; empty if another process has it. */
  public static Optional<HomeLock> tryAcquire(Path home) {
    try {
      FileChannel channel =
          FileChannel.open(
              file(home),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        return Optional.empty();
      }
      channel.truncate(0);
      write(channel, Long.toString(ProcessHandle.current().pid()));
      return Optional.of(new HomeLock(channel));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot lock the data directory " + home, e);
    }
  }

  /** Whether another process has the lock. */
  public static boolean isTaken(Path home) {
    Optional<HomeLock> lock = tryAcquire(home);
    lock.ifPresent(HomeLock::close);
    return lock.isEmpty();
  }

  /** Adds an address to the owner's entry for others to read; the launcher reads it, too. */
  public void announce(String url) {
    try {
      write(channel, "\n" + url + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to the lock of the data directory", e);
    }
  }

  private static void write(FileChannel channel, String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns the owning process and its address, if announced, for use in a message. */
  public static String owner(Path home) {
    try {
      List<String> lines = Files.readAllLines(file(home));
      return "process " + lines.getFirst() + (lines.size() > 1 ? " (" + lines.get(1) + ")" : "");
    } catch (IOException | NoSuchElementException e) {
      return "another process";
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot unlock the data directory", e);
    }
  }

  private static Path file(Path home) {
    return home.resolve("keywell.lock");
  }
}
